// The media type of a file, from its content alone. It reads a little of the file, except of text. Home of file-type.
import { fileTypeFromBlob } from 'file-type'
import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'

export const JPEG = 'image/jpeg'
/** Pictures that the library decodes. Others of its formats are closed. */
export const PICTURES: ReadonlySet<string> = new Set([
  JPEG,
  'image/png',
  'image/apng',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/tiff',
])
export const SVG = 'image/svg+xml'
const TEXT = 'text/plain'
const XML = 'application/xml'
const UNKNOWN = 'application/octet-stream'
const CHUNK = 1 << 20
/** An SVG document has its root element in these bytes. */
const SVG_HEAD = 1 << 16

export interface FoundType {
  readonly mediaType: string
  /** It may be an SVG document: only its elements tell. */
  readonly isPerhapsSvg: boolean
}

/** By the first three bytes; the fourth one tells another format of that group. */
export function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff && bytes[3] !== 0xf7
}

/** @throws the system's error for a file that cannot be read */
export async function findMediaType(path: string): Promise<FoundType> {
  // A blob reads only the requested bytes. The library's own reader of paths is a package that no bundle has.
  const found = (
    await openAsBlob(path)
      .then((blob) => fileTypeFromBlob(blob))
      .catch(throwOfSystem)
  )?.mime
  if (found !== undefined && found !== XML) return { mediaType: found, isPerhapsSvg: false }
  const text = await readText(path)
  if (text === undefined) return { mediaType: found ?? UNKNOWN, isPerhapsSvg: false }
  return { mediaType: found ?? TEXT, isPerhapsSvg: /<(?:[\w.-]+:)?svg[\s>]/.test(text) }
}

/** Content that confuses the library has no type. */
function throwOfSystem(error: unknown): undefined {
  if (error instanceof Error && 'syscall' in error) throw error
}

/** The head of a text in UTF-8; undefined for anything else. */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const chunk = Buffer.allocUnsafe(CHUNK)
    let head = ''
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK)
      const text = decoder.decode(chunk.subarray(0, bytesRead), { stream: bytesRead > 0 })
      // Controls besides tab, line feed, form feed, carriage return and escape are no text.
      if (/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text)) return undefined
      if (head.length < SVG_HEAD) head += text.slice(0, SVG_HEAD)
      if (bytesRead === 0) return head === '' ? undefined : head
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  } finally {
    await file.close()
  }
}
