// How the texts of a record get into the index without being put together in memory more often than needed.

/** UTF-16 units of texts from which on they go as bytes. */
const LARGE = 65_536

/** What is bound for the folded texts of a record; bytes where they are large. */
export type StoredText = string | Buffer

/** The texts one after another. */
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
