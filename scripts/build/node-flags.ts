// The flags of Node that the executable is built with and that the bench starts the bundle with; `npm start` in package.json names them as well.

/** Left alone, Node lets the young generation grow to more than 100 MB; with three semi-spaces of so many MiB it is nearly as fast. */
export const NODE_FLAGS = ['--max-semi-space-size=8']
