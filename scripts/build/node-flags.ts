// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/**
 * The size is in MiB, and V8 takes the next power of two: left alone, Node lets the young generation grow to more than 100 MB.
 * Without the second flag V8 guesses which lists and objects live long. Between pauses it guesses wrong: then it keeps each
 * request until the heap is large.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring']
