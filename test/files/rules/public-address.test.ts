// Public addresses: what they carry, and that nobody can make one. Contract 4 §3.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { definePreset, FIRST_PRESETS, type Preset, readFocus } from '../../../src/files/rules/presets.ts'
import { openSignature, publicFileName, publicKeyOf, publicPath } from '../../../src/files/rules/public-address.ts'

const [thumb, web, square, original] = FIRST_PRESETS as [Preset, Preset, Preset, Preset]
const cover = definePreset('cover', { width: 10, height: 10, fit: 'cover', format: 'webp', focus: 'focus' })
const key = publicKeyOf(Buffer.alloc(32, 7), '')
const sha256 = 'ab'.repeat(32)
const fileName = 'shirt.png'

const signatureOf = (path: string): string => path.split('/')[2]!
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const part = fc.double({ min: 0, max: 1, noNaN: true })
const focuses = fc.option(fc.record({ x: part, y: part }).map(readFocus), { nil: undefined })

describe('A public address', () => {
  it('carries content and focus, and is the same at every server', () => {
    fc.assert(
      fc.property(digest, focuses, fc.constantFrom(thumb, cover, original), (sha256, focus, preset) => {
        const path = publicPath(key, { sha256, focus, preset, fileName })
        assert.equal(path, publicPath(Buffer.from(key), { sha256, focus, preset, fileName }))
        const expected = preset === cover && focus !== undefined ? { sha256, focus } : { sha256 }
        assert.deepEqual(openSignature(key, signatureOf(path), preset), expected)
      }),
    )
  })

  it('is a path of signature, preset and file name', () => {
    const path = publicPath(key, { sha256, preset: web, fileName: 'Größe 5.tiff' })
    assert.match(path, /^\/public\/[\w-]{86}\/web\/Gr%C3%B6%C3%9Fe-5\.webp$/)
  })

  it('is nothing with any character changed, cut off or added', () => {
    const signature = signatureOf(publicPath(key, { sha256, focus: { x: 0.3, y: 0.7 }, preset: cover, fileName }))
    fc.assert(
      fc.property(
        fc.nat(signature.length - 1),
        fc.constantFrom('A', 'b', '9', '-', '_', '', '.', 'AA'),
        (at, other) => {
          const changed = signature.slice(0, at) + other + signature.slice(at + 1)
          fc.pre(changed !== signature)
          assert.equal(openSignature(key, changed, cover), undefined)
        },
      ),
    )
    for (const wrong of ['', 'A', `${signature}A`, `${signature}=`, 'A'.repeat(1e6), signature.slice(0, 43)])
      assert.equal(openSignature(key, wrong, cover), undefined)
  })

  it('is nothing for another preset, or another definition of the same one; a new ID changes nothing', () => {
    const signature = signatureOf(publicPath(key, { sha256, preset: square, fileName }))
    assert.equal(openSignature(key, signature, web), undefined)
    assert.equal(openSignature(key, signature, original), undefined)
    assert.equal(openSignature(key, signature, { ...square, background: '#000000' }), undefined)
    assert.deepEqual(openSignature(key, signature, { ...square, id: 'renamed' }), { sha256 })
  })

  it('is nothing with another key, which another salt or another workspace has', () => {
    const signature = signatureOf(publicPath(key, { sha256, preset: web, fileName }))
    for (const other of [publicKeyOf(Buffer.alloc(32, 7), 'salt'), publicKeyOf(Buffer.alloc(32, 8), '')])
      assert.equal(openSignature(other, signature, web), undefined)
  })
})

describe('The file name of a public address', () => {
  for (const [given, preset, expected] of [
    ['shirt.png', web, 'shirt.webp'],
    ['shirt.png', square, 'shirt.jpg'],
    ['shirt.PNG', original, 'shirt.PNG'],
    ['../../etc/passwd', original, 'passwd'],
    ['C:\\pictures\\a b.jpeg', web, 'a-b.webp'],
    ['.htaccess', original, 'htaccess'],
    ['no-ending', web, 'no-ending.webp'],
    ['a\r\nSet-Cookie: x', original, 'a-Set-Cookie-x'],
    ['鞋.png', web, '鞋.webp'],
    ['', web, 'file.webp'],
    ['///', original, 'file'],
    [`${'x'.repeat(300)}.png`, web, `${'x'.repeat(95)}.webp`],
  ] as const)
    it(`is ${expected.slice(0, 30)} for ${JSON.stringify(given.slice(0, 30))} and ${preset.id}`, () => {
      assert.equal(publicFileName(given, preset), expected)
    })

  it('is short, and can stand in an address, whatever was uploaded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(web, original), (given, preset) => {
        const name = publicFileName(given, preset)
        assert.ok(
          name.length > 0 && Array.from(name).length <= 100 && !/[\s/\\?#%"<>]/.test(name) && !name.startsWith('.'),
        )
        encodeURIComponent(name)
      }),
    )
  })
})
