// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/**
 * The size is in MiB, and V8 takes the next power of two: left alone, Node lets the young generation grow to more than 100 MB.
 * What little survives in it is collected quicker by one thread than by several that wait for each other: GET's p99 is a tenth
 * shorter. What large bodies and records leave behind is collected when they are dealt with (`gc`), not when there is far more of it.
 * The old generation is collected when it is half as large again as what was alive in it: by itself V8 lets the heap of the main
 * thread grow to four times that, and while much is written one in a hundred bytes gets there, so that it is seldom collected anyway.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--heap-growing-percent=50',
  '--expose-gc',
]
