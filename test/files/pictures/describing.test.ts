// What is told about a file, from its content alone. Contract 4 §1.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { animate, keep, makePictures, redAndBlue } from './pictures-of-tests.ts'

const NOTHING = { width: null, height: null, pages: null, thumbhash: null }

describe('The description of a file', () => {
  const pictures = makePictures()
  const describeFile = (content: Buffer | string, name?: string) => pictures.describe({ path: keep(content, name) })

  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const)
    it(`has the media type and the size of a ${format}, whatever its name`, async () => {
      const content = await redAndBlue(60, 40).toFormat(format).toBuffer()
      const { mediaType, width, height, thumbhash } = await describeFile(content, 'manual.pdf')
      assert.deepEqual([mediaType, width, height], [`image/${format}`, 60, 40])
      assert.ok(thumbhash !== null && Buffer.from(thumbhash, 'base64').length > 5)
    })

  it('has the size of the picture as it is looked at: the orientation is applied', async () => {
    const turned = await redAndBlue(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const { width, height } = await describeFile(turned)
    assert.deepEqual([width, height], [40, 60])
  })

  it('has a thumbhash with the colours of the picture', async () => {
    const green = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#00c000' } })
      .jpeg()
      .toBuffer()
    const { r, g, b, a } = thumbHashToAverageRGBA(Buffer.from((await describeFile(green)).thumbhash!, 'base64'))
    assert.ok(r < 0.1 && Math.abs(g - 0.75) < 0.1 && b < 0.1 && a === 1, JSON.stringify({ r, g, b, a }))
  })

  it('has the pages of a TIFF and the frames of a GIF', async () => {
    assert.equal((await describeFile(await animate(['#ff0000', '#00ff00', '#0000ff']))).pages, 3)
    const single = await redAndBlue(8, 8).tiff().toBuffer()
    assert.equal((await describeFile(single)).pages, 1)
    assert.equal((await describeFile(await redAndBlue(8, 8).jpeg().toBuffer())).pages, null)
  })

  it('has the pages of a PDF whose page tree can be read, and none of another', async () => {
    const tree = '1 0 obj\n<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 12 >>\nendobj\n'
    const branch = '2 0 obj\n<< /Type /Pages /Parent 1 0 R /Count 7 >>\nendobj\n'
    const outline = '4 0 obj\n<< /Type /Outlines /Count 99 >>\nendobj\n'
    const pdf = (body: string): string => `%PDF-1.4\n${body}trailer\n<< >>\n%%EOF`
    assert.deepEqual(await describeFile(pdf(branch + tree + outline)), {
      ...NOTHING,
      mediaType: 'application/pdf',
      pages: 12,
    })
    assert.equal((await describeFile(pdf(outline))).pages, null)
  })

  it('says SVG of documents that are SVG only', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="9" height="9"/></svg>'
    const { mediaType, width, height } = await describeFile(`<?xml version="1.0"?>\n${svg}`, 'x.txt')
    assert.deepEqual([mediaType, width, height], ['image/svg+xml', 30, 20])
    assert.equal((await describeFile(svg)).mediaType, 'image/svg+xml')
    for (const [content, expected] of [
      [`<!doctype html><html><body>${svg}</body></html>`, 'text/plain'],
      [`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${svg}</html>`, 'application/xml'],
      [`The element <svg width="3"> is a picture.`, 'text/plain'],
    ] as const)
      assert.deepEqual(await describeFile(content, 'x.svg'), { ...NOTHING, mediaType: expected })
  })

  it('says plain text of UTF-8, and unknown of other bytes', async () => {
    assert.equal((await describeFile('Größe;Preis\n42;9,90\n')).mediaType, 'text/plain')
    assert.equal((await describeFile(`${'ü'.repeat(1 << 20)}x`)).mediaType, 'text/plain')
    for (const bytes of [Buffer.from([1, 2, 3, 0xff, 0]), Buffer.from('Größe', 'latin1'), Buffer.alloc(0)])
      assert.deepEqual(await describeFile(bytes), { ...NOTHING, mediaType: 'application/octet-stream' })
  })

  it('never fails because content is broken: a broken picture has no size', async () => {
    const whole = await redAndBlue(600, 400).jpeg().toBuffer()
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))
    for (const broken of [
      whole.subarray(0, 20),
      whole.subarray(0, whole.length / 2),
      Buffer.concat([whole.subarray(0, 3), noise]),
    ])
      assert.deepEqual(await describeFile(broken), { ...NOTHING, mediaType: 'image/jpeg' })
    const png = await redAndBlue(600, 400).toBuffer()
    assert.deepEqual(await describeFile(png.subarray(0, png.length - 200)), { ...NOTHING, mediaType: 'image/png' })
  })

  it('tells the size of a picture with too many pixels, and does not decode it', async () => {
    const large = sharp({ create: { width: 12_000, height: 9000, channels: 3, background: '#fff' } })
    const { width, height, thumbhash } = await describeFile(await large.png().toBuffer())
    assert.deepEqual([width, height, thumbhash], [12_000, 9000, null])
  })

  it('of a file that is not there: UNAVAILABLE or the error of the system', async () => {
    await assert.rejects(pictures.describe({ path: '/nowhere/at-all' }))
  })
})
