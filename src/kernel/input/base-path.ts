// A path that stands before all paths of a server, such as `/pim`.

/** Characters. */
const MAX_LENGTH = 200

/** Segments need no escapes, in addresses and in the HTML of pages; none is `.` or `..`. */
export function isBasePath(text: string): boolean {
  return text.length <= MAX_LENGTH && /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(text)
}
