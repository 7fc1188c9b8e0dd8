// Reads the Range header of a request for bytes: RFC 9110 §14.

interface Range {
  /** Both inclusive. */
  readonly start: number
  readonly end: number
}

/**
 * The asked range of `size` bytes; undefined: all bytes are asked for, or several ranges, which are answered by all bytes;
 * 'none': no byte of the range is there.
 */
export function readRange(header: string | undefined, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'none' : { start, end }
}
