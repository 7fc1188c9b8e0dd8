// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/**
 * The size is in MiB, and V8 takes the next power of two: left alone, Node lets the young generation grow to more than 100 MB.
 * What little survives in it is collected quicker by one thread than by several that wait for each other: GET's p99 is a tenth
 * shorter. Without the third flag V8 guesses which lists and objects live long. Between pauses it guesses wrong: then it keeps
 * each request until the heap is large. What large bodies and records leave behind is collected when they are dealt with
 * (`gc`), not when there is far more of it.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
]
