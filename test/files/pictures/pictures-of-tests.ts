// Pictures that tests make, and a pool of picture processes for a suite.
import type { WithFile } from '../../../src/files/pictures/pictures.ts'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { type PictureOptions, Pictures } from '../../../src/files/pictures/pictures.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'

/** A pool that ends with the suite. */
export function makePictures(options: Partial<PictureOptions> = {}): Pictures {
  const onFault = (message: string): never => assert.fail(message)
  const pictures = new Pictures({ dataDir: makeTempDirectory(), pictureWorkers: 2, onFault, ...options })
  after(() => pictures.close())
  return pictures
}

/** A path of a new file with this content. */
export function keep(content: Buffer | string, name = 'file'): string {
  const file = path.join(makeTempDirectory(), name)
  writeFileSync(file, content)
  return file
}

/** A path that does not exist yet. */
export function newPath(): string {
  return path.join(makeTempDirectory(), 'rendition')
}

/** The left half is red, the right half is blue. */
export function redAndBlue(width: number, height: number): Sharp {
  const red = { create: { width: width / 2, height, channels: 3 as const, background: '#ff0000' } }
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
}

/** An animation with a frame of each colour. */
export async function animate(colours: readonly string[]): Promise<Buffer> {
  const frames = colours.map((background) =>
    sharp({ create: { width: 40, height: 40, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** The colour of a pixel: red, green, blue and alpha. */
export async function pixelAt(picture: string, left: number, top: number): Promise<number[]> {
  const pixel = sharp(picture).extract({ left, top, width: 1, height: 1 }).ensureAlpha().raw()
  return [...(await pixel.toBuffer())]
}

/** A file that need not be fetched. */
export function fileAt(path: string): WithFile {
  return (work) => work(path)
}
