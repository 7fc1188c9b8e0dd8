// Texts of the executable that are read rarely, and are in brotli there.

/** Ends the name of a packed file inside the executable. */
export const PACKED = '.packed'

/** Guides, licences, and tables of lines. */
export function isPacked(name: string): boolean {
  return name.startsWith('docs/') || name.endsWith('-LICENSES.txt') || name.endsWith('.lines.json')
}
