// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/** Left alone, Node lets the young generation grow to more than 100 MB; with 24 it is as fast (MiB of each of three semi-spaces). */
export const NODE_FLAGS = ['--max-semi-space-size=8']
