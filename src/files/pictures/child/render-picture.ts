// Makes one rendition of a picture: the bytes of the original in, a file out.
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { type Placement, placeIn } from '../../rules/placement.ts'
import { type MadePreset, mediaTypeOf } from '../../rules/presets.ts'
import { MAX_MEMORY, MAX_PIXELS, MAX_SVG, type Question, type Rendered } from '../questions.ts'
import { type Library, readMetadata, TooHeavy } from './describing.ts'
import { findMediaType, PICTURES } from './media-type.ts'
import type { Metadata, Sharp } from './picture-library.ts'
import { bytesFor } from './weights.ts'

/** `message` follows "it". */
export class NotRenderable extends Error {}

type Rendering = Extract<Question, { kind: 'render' }>

/** How hard the encoders try: more takes longer than a reader waits, for a few per cent of the size. */
const EFFORT = 2
const QUALITY = { webp: 80, avif: 50, jpeg: 80 }
const WHITE = '#ffffff'
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** @throws NotRenderable, TooHeavy, the system's error */
export async function render(rendering: Rendering, library: Library): Promise<Rendered> {
  const { path, preset, focus, granted, output } = rendering
  const { mediaType, isPerhapsSvg } = await findMediaType(path)
  if (!isPerhapsSvg && !PICTURES.has(mediaType)) throw new NotRenderable(`is ${mediaType}, not a picture to render`)
  const bytes = await readFile(path)
  const metadata = await readMetadata(bytes, isPerhapsSvg, library)
  if (metadata === undefined) throw new NotRenderable(unreadable(mediaType, isPerhapsSvg, bytes.length))
  const placement = placeIn(metadata.autoOrient, preset, focus)
  assertWeight(metadata, bytes.length, { ...(placement.canvas ?? placement.scaled), format: preset.format }, granted)
  const content = await encode(place(library.openPicture(bytes, true), placement, preset), preset)
    .toBuffer()
    .catch((error: Error) => {
      throw new NotRenderable(`is damaged: ${error.message.split('\n', 1)[0]!.slice(0, 200)}`)
    })
  await write(output, content)
  const { width, height } = placement.crop ?? placement.canvas ?? placement.scaled
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { mediaType: mediaTypeOf(preset), size: content.length, sha256, width, height }
}

function unreadable(mediaType: string, isSvg: boolean, size: number): string {
  if (!isSvg) return `is damaged: no ${mediaType} can be read from its bytes`
  return size > MAX_SVG ? `is an SVG document of more than ${MAX_SVG / 1e6} MB` : 'is no SVG document that can be drawn'
}

/** @throws NotRenderable, TooHeavy */
function assertWeight(
  metadata: Metadata,
  fileSize: number,
  output: Parameters<typeof bytesFor>[2],
  granted: number,
): void {
  const pixels = metadata.width * metadata.height
  if (pixels > MAX_PIXELS)
    throw new NotRenderable(`has ${Math.ceil(pixels / 1e6)} megapixels, more than ${MAX_PIXELS / 1e6}`)
  const weight = bytesFor(metadata, fileSize, output)
  if (weight > MAX_MEMORY)
    throw new NotRenderable(`takes about ${Math.ceil(weight / 1e6)} MB of memory, more than ${MAX_MEMORY / 1e6}`)
  if (weight > granted) throw new TooHeavy(weight)
}

function place(picture: Sharp, { scaled, crop, canvas }: Placement, { format, background }: MadePreset): Sharp {
  let placed = picture.autoOrient().resize({ ...scaled, fit: 'fill' })
  const colour = background ?? (format === 'jpeg' ? WHITE : undefined)
  if (colour !== undefined) placed = placed.flatten({ background: colour })
  if (crop !== undefined) placed = placed.extract(crop)
  if (canvas !== undefined) {
    const { left, top } = canvas
    const [right, bottom] = [canvas.width - scaled.width - left, canvas.height - scaled.height - top]
    placed = placed.extend({ left, top, right, bottom, background: colour ?? TRANSPARENT })
  }
  return placed.toColourspace('srgb')
}

function encode(picture: Sharp, { format, quality }: MadePreset): Sharp {
  if (format === 'png') return picture.png()
  if (format === 'jpeg') return picture.jpeg({ quality: quality ?? QUALITY.jpeg, mozjpeg: true })
  return picture[format]({ quality: quality ?? QUALITY[format], effort: EFFORT })
}

/** On the disk before anybody learns of it. */
async function write(output: string, content: Buffer): Promise<void> {
  const file = await open(output, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
