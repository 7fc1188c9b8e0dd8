// Renditions as files: what stays of a picture, what cannot be rendered, and what a picture process survives. Contract 4 §3.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { definePreset, FIRST_PRESETS, type Focus, type MadePreset } from '../../../src/files/rules/presets.ts'
import { animate, fileAt, keep, makePictures, newPath, pixelAt, redAndBlue } from './pictures-of-tests.ts'

const [thumb, web, square] = FIRST_PRESETS as MadePreset[]
const png = definePreset('small', { width: 100, fit: 'inside', format: 'png' })

describe('A rendition', () => {
  const pictures = makePictures()
  const render = async (content: Buffer | string, preset = png, focus?: Focus) => {
    const output = newPath()
    const rendered = await pictures.render({ withOriginal: fileAt(keep(content)), preset, focus, output })
    return { ...rendered, output, facts: await sharp(output).metadata() }
  }

  for (const format of ['webp', 'avif', 'jpeg', 'png'] as const)
    it(`has the format ${format}, the size of its preset, and says so`, async () => {
      const preset = definePreset('one', { width: 90, height: 90, fit: 'inside', format })
      const { facts, mediaType, size, width, height, output } = await render(
        await redAndBlue(300, 200).toBuffer(),
        preset,
      )
      assert.deepEqual([mediaType, width, height], [`image/${format}`, 90, 60])
      assert.deepEqual([facts.format, facts.width, facts.height], [format === 'avif' ? 'heif' : format, 90, 60])
      assert.equal(readFileSync(output).length, size)
    })

  it('is never enlarged', async () => {
    const { facts } = await render(await redAndBlue(30, 20).toBuffer(), web)
    assert.deepEqual([facts.width, facts.height], [30, 20])
  })

  it('has its orientation applied', async () => {
    const turned = await redAndBlue(60, 40).jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()
    const { facts, output } = await render(turned)
    assert.deepEqual([facts.width, facts.height, facts.orientation], [40, 60, undefined])
    // The left half, red, is the upper one now.
    assert.deepEqual((await pixelAt(output, 20, 5)).slice(0, 3).map(rough), [1, 0, 0])
    assert.deepEqual((await pixelAt(output, 20, 55)).slice(0, 3).map(rough), [0, 0, 1])
  })

  for (const format of ['webp', 'avif', 'jpeg', 'png'] as const)
    it(`has no metadata of the original, such as the place where it was taken, as ${format}`, async () => {
      const original = await redAndBlue(60, 40)
        .jpeg()
        .withExif({
          IFD0: { Copyright: 'SECRET-OWNER' },
          IFD3: { GPSLatitude: '51/1 30/1 3230/100', GPSLatitudeRef: 'N' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-XMP</x:xmpmeta>')
        .toBuffer()
      assert.ok(original.includes('SECRET-OWNER') && original.includes('SECRET-XMP'))
      const { facts, output } = await render(original, definePreset('one', { width: 50, fit: 'inside', format }))
      assert.deepEqual([facts.exif, facts.xmp, facts.iptc, facts.icc], [undefined, undefined, undefined, undefined])
      assert.ok(!readFileSync(output).includes('SECRET'))
    })

  it('is sRGB, whatever the colours of the original', async () => {
    const wide = await redAndBlue(60, 40).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer()
    const printed = await redAndBlue(60, 40).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    for (const original of [wide, printed]) {
      const { facts, output } = await render(original)
      assert.deepEqual([facts.space, facts.channels, facts.depth], ['srgb', 3, 'uchar'])
      assert.deepEqual((await pixelAt(output, 5, 5)).slice(0, 3).map(rough), [1, 0, 0])
    }
  })

  it('of 16 bits has 8', async () => {
    const deep = await redAndBlue(60, 40).toColourspace('rgb16').png().toBuffer()
    assert.equal((await sharp(deep).metadata()).depth, 'ushort')
    assert.equal((await render(deep)).facts.depth, 'uchar')
  })

  it('of the fit contain stands in the middle of a canvas, also where it is smaller', async () => {
    const { facts, output } = await render(await redAndBlue(600, 400).toBuffer(), square)
    assert.deepEqual([facts.width, facts.height, facts.format], [1200, 1200, 'jpeg'])
    const rows = await Promise.all([200, 500].map((top) => pixelAt(output, 400, top)))
    assert.deepEqual(
      rows.map((pixel) => pixel.slice(0, 3).map(rough)),
      [
        [1, 1, 1],
        [1, 0, 0],
      ],
    )
  })

  it('of the fit contain without a background is transparent around the picture', async () => {
    const preset = definePreset('one', { width: 100, height: 100, fit: 'contain', format: 'png' })
    const { output } = await render(await redAndBlue(60, 40).toBuffer(), preset)
    assert.deepEqual(await pixelAt(output, 1, 1), [0, 0, 0, 0])
    assert.deepEqual(await pixelAt(output, 30, 50), [255, 0, 0, 255])
  })

  it('in a format without transparency is white where the original is transparent', async () => {
    const clear = await sharp({ create: { width: 60, height: 40, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    const preset = definePreset('one', { width: 50, fit: 'inside', format: 'jpeg' })
    assert.deepEqual(await pixelAt((await render(clear, preset)).output, 5, 5), [255, 255, 255, 255])
    const black = { ...preset, background: '#000000' }
    assert.deepEqual(await pixelAt((await render(clear, black)).output, 5, 5), [0, 0, 0, 255])
  })

  it('of the fit cover shows what is at the focus', async () => {
    const preset = definePreset('one', { width: 20, height: 40, fit: 'cover', format: 'png', focus: 'focus' })
    const original = await redAndBlue(600, 400).toBuffer()
    const colours = async (focus?: Focus): Promise<number[]> => {
      const { output, facts } = await render(original, preset, focus)
      assert.deepEqual([facts.width, facts.height], [20, 40])
      return (await pixelAt(output, 10, 20)).slice(0, 3).map(rough)
    }
    assert.deepEqual(await colours({ x: 0.1, y: 0.5 }), [1, 0, 0])
    assert.deepEqual(await colours({ x: 0.9, y: 0.5 }), [0, 0, 1])
  })

  it('of an animation is its first frame', async () => {
    const { facts, output } = await render(await animate(['#ff0000', '#0000ff']))
    assert.equal(facts.height, 40)
    assert.deepEqual((await pixelAt(output, 5, 5)).slice(0, 3).map(rough), [1, 0, 0])
  })
})

describe('A rendition of an SVG document', () => {
  const pictures = makePictures()

  it('is drawn from the bytes alone: nothing is read from the disk or the network', async (t) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    }).listen(0)
    t.after(() => server.close())
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const green = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer()
    const beside = keep(green, 'green.png')
    const secret = keep('<rect width="100" height="100" fill="#00ff00"/>', 'secret.xml')
    const places = [beside, `file://${beside}`, 'green.png', './green.png', `${at}/a.png`]
    const images = places.flatMap((place) => [
      `<image href="${place}" width="100" height="100"/>`,
      `<image xlink:href="${place}" width="100" height="100"/>`,
      `<use href="${place}#a"/>`,
    ])
    const svg = `<?xml version="1.0"?><?xml-stylesheet href="${at}/b.css"?>
      <!DOCTYPE svg [<!ENTITY % d SYSTEM "${at}/d.dtd">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        xmlns:xi="http://www.w3.org/2001/XInclude" width="100" height="100">
      <style>@import url("${at}/d.css"); @font-face { font-family: f; src: url("${at}/e.woff") }</style>
      <rect width="100" height="100" fill="#ff0000"/>${images.join('')}
      <foreignObject width="100" height="100"><img src="${at}/f.png"/></foreignObject>
      <xi:include href="file://${secret}"/><text style="font-family: f">a</text>
      <script>fetch('${at}/g')</script></svg>`
    const output = newPath()
    await pictures.render({ withOriginal: fileAt(keep(svg, 'a.svg')), preset: png, output })
    const { data } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    assert.ok(!data.some((value, at) => at % 3 === 1 && value > 0), 'no green')
    assert.deepEqual(await pixelAt(output, 90, 90), [255, 0, 0, 255])
    for (const place of [`file://${secret}`, secret, `${at}/c.xml`]) {
      const outer = `<!DOCTYPE svg [<!ENTITY outer SYSTEM "${place}">]><svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99"/>&outer;</svg>`
      const rendered = newPath()
      const isRendered = await pictures
        .render({ withOriginal: fileAt(keep(outer)), preset: png, output: rendered })
        .then(
          () => true,
          ({ code }: { code: string }) => assert.equal(code, 'NOT_RENDERABLE'),
        )
      if (isRendered === true) assert.deepEqual(await pixelAt(rendered, 5, 5), [0, 0, 0, 255], place)
    }
    assert.deepEqual(asked, [])
  })

  it('with entities that multiply is no picture', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    ).join('')
    const bomb = `<!DOCTYPE svg [<!ENTITY e0 "x">${levels}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e12;</text></svg>`
    await assert.rejects(pictures.render({ withOriginal: fileAt(keep(bomb)), preset: png, output: newPath() }), {
      code: 'NOT_RENDERABLE',
    })
  })
})

describe('What cannot be rendered', () => {
  const pictures = makePictures()
  const refusal = async (content: Buffer | string): Promise<string> => {
    const output = newPath()
    const error = await pictures.render({ withOriginal: fileAt(keep(content)), preset: thumb!, output }).then(
      () => assert.fail('It was rendered'),
      (error: Error & { code: string }) => error,
    )
    assert.equal(error.code, 'NOT_RENDERABLE', error.message)
    assert.ok(!existsSync(output))
    return error.message
  }

  it('is NOT_RENDERABLE, saying why', async () => {
    assert.match(await refusal('Hello'), /^The file is text\/plain, not a picture/)
    assert.match(await refusal('%PDF-1.4\n'), /^The file is application\/pdf, not a picture/)
    assert.match(await refusal('<svg width="3"> is an element'), /^The file is no SVG document/)
    assert.match(await refusal(`<svg>${' '.repeat(10e6)}</svg>`), /^The file is an SVG document of more than 10 MB/)
    const whole = await redAndBlue(600, 400).jpeg().toBuffer()
    assert.match(await refusal(whole.subarray(0, whole.length / 2)), /^The file is damaged: /)
    assert.match(await refusal(whole.subarray(0, 30)), /^The file is damaged: no image\/jpeg can be read/)
  })

  it('has more than 100 megapixels', async () => {
    const create = { width: 10_100, height: 10_000, channels: 3 as const, background: '#ffffff' }
    const large = await sharp({ create, limitInputPixels: false }).png().toBuffer()
    assert.match(await refusal(large), /^The file has 101 megapixels, more than 100$/)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>'
    assert.match(await refusal(svg), /^The file has 400 megapixels/)
  })
})

function rough(value: number): number {
  return Math.round(value / 255)
}
