// A cell of an imported file. Contract 2 §7, 3 §4.

/** null: nothing is written there. */
export type TextCell = string | null
/** A spreadsheet has numbers and booleans; a csv has only texts. */
export type CsvCell = TextCell | number | boolean
