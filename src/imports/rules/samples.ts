// How much of a column an import shows. Contract 3 §4.

/** Sample cells of a column, and characters of each. */
export const MAX_SAMPLES_OF_COLUMN = 5
export const MAX_SAMPLE_LENGTH = 100
