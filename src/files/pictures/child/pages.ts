// The number of pages of a PDF, where its page tree is readable without unpacking.

const OBJECT = Buffer.from('obj')
const COUNT = Buffer.from('/Count')
/** Objects whose count is looked at. */
const MAX_COUNTS = 10_000
/** Bytes of the object before its count. */
const BEFORE = 4096

/** Null: unknown. */
export function countPdfPages(bytes: Buffer): number | null {
  let pages = 0
  let at = bytes.indexOf(COUNT)
  for (let counts = 0; at !== -1 && counts < MAX_COUNTS; counts += 1) {
    const from = Math.max(0, at - BEFORE)
    const before = bytes.subarray(from, at)
    const begin = before.lastIndexOf(OBJECT)
    const object = bytes.subarray(from + Math.max(0, begin), at + BEFORE).toString('latin1')
    const own = object.slice(0, Math.max(0, object.indexOf('endobj', OBJECT.length)) || object.length)
    // The root counts the pages of all nodes below it.
    if (/\/Type\s*\/Pages\b/.test(own)) pages = Math.max(pages, Number(/\/Count\s+(\d{1,9})\b/.exec(own)?.[1] ?? 0))
    at = bytes.indexOf(COUNT, at + COUNT.length)
  }
  return pages === 0 ? null : pages
}
