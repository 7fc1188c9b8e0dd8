// The library that decodes and encodes pictures, set up for content that nobody has checked. It is loaded in a picture
// process alone, because its native code is large and may crash. Home of sharp.
import sharp, { type Metadata, type Sharp } from 'sharp'
import { MAX_PIXELS } from '../questions.ts'

export type { Metadata, Sharp }

sharp.cache(false)
sharp.concurrency(1)
// A file given as bytes has no neighbours. Other loaders, such as those for paths and scripts, stay closed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`),
})

const OPTIONS = { failOn: 'error', limitInputPixels: MAX_PIXELS, unlimited: false } as const

/** The first page, or frame, of a picture. @param isByLine whether lines are decoded as they are needed, in little memory */
export function openPicture(bytes: Buffer, isByLine: boolean): Sharp {
  return sharp(bytes, { ...OPTIONS, sequentialRead: isByLine })
}

/** Reads the header, of a picture of any size. */
export function readHeader(bytes: Buffer): Promise<Metadata> {
  return sharp(bytes, { ...OPTIONS, limitInputPixels: false }).metadata()
}
