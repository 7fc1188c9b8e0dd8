// What a cell of an imported file holds. Contract 2 §7, 3 §4.

/** null: nothing is written there. */
export type TextCell = string | null
/** Of a spreadsheet numbers and truth values are themselves; of a csv all is text. */
export type CsvCell = TextCell | number | boolean
