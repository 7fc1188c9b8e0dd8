// The usual names of files in a zip, such as `SH-1_2.jpg`. Contract 4 §4.

/** An RE2 expression: `key` finds the record, `n` says the order. */
export const DEFAULT_PATTERN = '(?i)^(?<key>.+?)[-_](?<n>\\d+)\\.(jpe?g|png|webp)$'
