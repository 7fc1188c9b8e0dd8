// How much memory a picture takes while it is decoded and encoded, beside that of the process. Measured with the largest
// pictures of each kind; a process that takes more than all that it may have ends itself.
import type { Size } from '../../rules/placement.ts'
import type { Format } from '../../rules/presets.ts'
import { SMALL_FILE } from '../questions.ts'
import type { Metadata } from './picture-library.ts'

/** Bytes of the library for any picture. */
const BASE = 24e6
/** Bytes for each pixel of the result. */
const ENCODED: Record<Format, number> = { webp: 8, avif: 48, jpeg: 8, png: 8 }

export function bytesFor(metadata: Metadata, fileSize: number, output: Size & { readonly format: Format }): number {
  const file = fileSize <= SMALL_FILE ? 0 : fileSize
  const decoded = metadata.width * metadata.height * bytesPerPixel(metadata)
  return Math.round(BASE + file + decoded + output.width * output.height * ENCODED[output.format])
}

function bytesPerPixel({ format, isProgressive, depth }: Metadata): number {
  const deep = depth === 'uchar' ? 1 : 2
  // A JPEG in several scans is kept as a whole, other ones pass line by line.
  if (format === 'jpeg') return isProgressive ? 6.5 : 0.5
  if (format === 'png') return (isProgressive ? 4 : 0.5) * deep
  if (format === 'heif') return 19
  if (format === 'gif') return 6
  if (format === 'webp') return 4
  if (format === 'tiff') return 1.5 * deep
  return 0
}
