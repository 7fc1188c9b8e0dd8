// Limits of product sheets that the console knows too. Contract 5 §4.

/** Records of one sheet. */
export const MAX_RECORDS = 200
/** Hours until a link ends. */
export const MAX_HOURS = 90 * 24
export const DEFAULT_HOURS = 14 * 24
export const PAPERS = ['A4', 'letter'] as const
export const PICTURE_SIZES = ['small', 'medium', 'large'] as const
/** A rendition preset of every new workspace. */
export const DEFAULT_PRESET = 'web'
