// Fingers need larger targets than a mouse, and a device for fingers has a camera.

/** Pixels of the smallest target: as `--control` of a coarse pointer in `css/touch.css`. */
export const TARGET = 44

// Tests of the sheet's state run without a browser.
export const isTouch = 'matchMedia' in globalThis && matchMedia('(pointer: coarse)').matches
