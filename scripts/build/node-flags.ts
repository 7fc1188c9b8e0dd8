// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/**
 * MiB, of which V8 takes the next power of two. Left alone, Node lets the young generation grow to more than 100 MB. With 16,
 * GET's p99 is a tenth shorter and the server 20 MB larger.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8']
