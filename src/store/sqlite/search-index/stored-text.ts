// Passes the texts of a record to the index with as few copies in memory as possible.

/** UTF-16 units of texts from which on they are stored as bytes. */
const LARGE = 65_536

/** The bound parameter for the folded texts of a record; large texts are bytes. */
export type StoredText = string | Buffer

/** Joins the texts. */
export function joinTexts(texts: readonly string[]): StoredText {
  let units = 0
  for (const text of texts) units += text.length
  if (units < LARGE) return texts.join('')
  let size = 0
  for (const text of texts) size += Buffer.byteLength(text)
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const text of texts) at += bytes.write(text, at)
  return bytes
}

export function isSameText(one: StoredText, other: StoredText): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : one.equals(other)
}
