// Flags of Node for the executable, and for the bundle in the bench. `npm start` in package.json has the same flags.

/**
 * The size is in MiB, and V8 takes the next power of two: left alone, Node lets the young generation grow to more than 100 MB.
 * Without the second flag V8 guesses which lists and objects live long. Between pauses it guesses wrong: then it keeps each
 * request until the heap is large. The third flag is the growth in percent after which the old generation is collected: left alone,
 * a heap under load keeps more than twice as much as it needs.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--heap-growing-percent=60']
