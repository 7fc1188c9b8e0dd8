// Facts about a file, from its content alone. Broken content is described as far as possible. Home of thumbhash.
import type * as library from './picture-library.ts'
import { open, readFile } from 'node:fs/promises'
import { rgbaToThumbHash } from 'thumbhash'
import { placeIn } from '../../rules/placement.ts'
import { type Description, LIGHT, MAX_PIXELS, MAX_SVG } from '../questions.ts'
import { findMediaType, type FoundType, isJpeg, JPEG, PICTURES, SVG } from './media-type.ts'
import { bytesFor } from './weights.ts'

export type Library = typeof library

/** A picture takes more memory than the question may. */
export class TooHeavy extends Error {
  readonly bytes: number

  constructor(bytes: number) {
    super('it takes more memory than granted')
    this.bytes = bytes
  }
}

/** The place of small files: a question ends before the next one, and memory that is given back costs more than the reading. */
const small = Buffer.allocUnsafeSlow(1 << 20)
/** Pixels of a side: the hash has fewer details. */
const HASHED = 32
const PDF = 'application/pdf'
const NO_PICTURE = { width: null, height: null, pages: null, thumbhash: null }

/**
 * @param library undefined: only the media type is wanted, or known
 * @throws TooHeavy, the system's error
 */
export async function describe(path: string, library: Library | undefined, granted: number): Promise<Description> {
  const known = await readSmall(path)
  const { mediaType, isPerhapsSvg } = await typeOf(path, known)
  if (library === undefined) return { ...NO_PICTURE, mediaType }
  if (mediaType === PDF) return { ...NO_PICTURE, mediaType, pages: countPdfPages(await readFile(path)) }
  if (!isPerhapsSvg && !PICTURES.has(mediaType)) return { ...NO_PICTURE, mediaType }
  const bytes = known ?? (await readFile(path))
  const metadata = await readMetadata(bytes, isPerhapsSvg, library)
  if (metadata === undefined) return { ...NO_PICTURE, mediaType }
  const picture = metadata.autoOrient
  const isSmall = picture.width * picture.height <= MAX_PIXELS
  const thumbhash = isSmall ? await hash(bytes, metadata, library, granted) : null
  const facts = { mediaType: isPerhapsSvg ? SVG : mediaType, pages: pagesOf(metadata), thumbhash }
  if (isSmall && thumbhash === null) return { ...facts, width: null, height: null }
  return { ...facts, width: picture.width, height: picture.height }
}

/** Undefined for a file that is larger. */
async function readSmall(path: string): Promise<Buffer | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > small.length) return undefined
    const { bytesRead } = await file.read(small, 0, size, 0)
    return bytesRead === size ? small.subarray(0, size) : undefined
  } finally {
    await file.close()
  }
}

/** Most files are JPEGs, which need no search. */
async function typeOf(path: string, known: Buffer | undefined): Promise<FoundType> {
  return known !== undefined && isJpeg(known) ? { mediaType: JPEG, isPerhapsSvg: false } : findMediaType(path)
}

/** Undefined for content that the library cannot read. */
export async function readMetadata(
  bytes: Buffer,
  isSvg: boolean,
  library: Library,
): Promise<library.Metadata | undefined> {
  if (isSvg && bytes.length > MAX_SVG) return undefined
  const metadata = await library.readHeader(bytes).catch(() => undefined)
  if (metadata === undefined || (metadata.format === 'svg') !== isSvg) return undefined
  return metadata.width > 0 && metadata.height > 0 ? metadata : undefined
}

/** Undefined pixels: null. @throws TooHeavy */
async function hash(
  bytes: Buffer,
  metadata: library.Metadata,
  library: Library,
  granted: number,
): Promise<string | null> {
  const { scaled } = placeIn(metadata.autoOrient, {
    id: '',
    width: HASHED,
    height: HASHED,
    fit: 'inside',
    format: 'webp',
  })
  const weight = bytesFor(metadata, bytes.length, { ...scaled, format: 'webp' })
  if (weight > Math.max(granted, LIGHT)) throw new TooHeavy(weight)
  try {
    // A JPEG is decoded at an eighth of its size. So the whole picture takes little memory, and less time than line by
    // line.
    const isByLine = metadata.format !== 'jpeg'
    const { data, info } = await library
      .openPicture(bytes, isByLine)
      .autoOrient()
      .resize({ ...scaled, fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
  } catch {
    return null
  }
}

function pagesOf({ format, pages = 1 }: library.Metadata): number | null {
  return format === 'tiff' || format === 'gif' || pages > 1 ? pages : null
}

const OBJECT = Buffer.from('obj')
const COUNT = Buffer.from('/Count')
/** Objects whose count is looked at. */
const MAX_COUNTS = 10_000
/** Bytes of the object before its count. */
const BEFORE = 4096

/** The number of pages of a PDF, where its page tree is readable without unpacking. Null: unknown. */
function countPdfPages(bytes: Buffer): number | null {
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
