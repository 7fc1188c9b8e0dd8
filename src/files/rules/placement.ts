// Where the pixels of a picture go in a rendition: its size, then a part of it, or a canvas around it. No picture is
// enlarged. Contract 4 §3.
import { type Focus, focusOf, MIDDLE, type Preset } from './presets.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

interface Area extends Size {
  readonly left: number
  readonly top: number
}

export interface Placement {
  /** The whole picture gets this size first. */
  readonly scaled: Size
  /** Only this part of the scaled picture stays. */
  readonly crop?: Area
  /** The canvas, and where the scaled picture begins on it. */
  readonly canvas?: Area
}

/** @param picture its size with the orientation applied */
export function placeIn(picture: Size, preset: Preset, focus?: Focus): Placement {
  if (preset.fit === 'cover') return cover(picture, boxOf(preset), focusOf(preset, focus))
  const box = boxOf(preset)
  const scaled = scale(picture, Math.min(1, box.width / picture.width, box.height / picture.height))
  if (preset.fit === 'inside') return { scaled }
  const [left, top] = [half(box.width - scaled.width), half(box.height - scaled.height)]
  return { scaled, canvas: { ...box, left, top } }
}

/** A picture that is smaller than the box loses only the parts that do not fit the proportions of the box. */
function cover(picture: Size, box: Size, { x, y }: Focus = MIDDLE): Placement {
  const wanted = Math.max(box.width / picture.width, box.height / picture.height)
  const scaled = scale(picture, Math.min(1, wanted))
  const shrink = Math.max(1, wanted)
  const width = side(box.width / shrink, scaled.width)
  const height = side(box.height / shrink, scaled.height)
  return { scaled, crop: { left: begin(x, width, scaled.width), top: begin(y, height, scaled.height), width, height } }
}

function boxOf({ width = Infinity, height = Infinity }: Preset): Size {
  return { width, height }
}

function scale({ width, height }: Size, by: number): Size {
  return { width: side(width * by, width), height: side(height * by, height) }
}

function side(pixels: number, max: number): number {
  return Math.min(max, Math.max(1, Math.round(pixels)))
}

/** As near to the middle of the focus as the border allows. */
function begin(focus: number, pixels: number, of: number): number {
  return Math.min(of - pixels, Math.max(0, Math.round(focus * of - pixels / 2)))
}

function half(pixels: number): number {
  return Math.floor(pixels / 2)
}
