// The built console: the bytes that a browser loads, and content that must be absent.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { type BuiltConsole, buildConsole } from '../../scripts/build/console.ts'
import { languagesIn } from '../../scripts/build/languages.ts'

const KB = 1024
const STYLES = path.resolve(import.meta.dirname, '../../console/css')

let built: BuiltConsole
before(async () => {
  built = await buildConsole()
})

/** Bytes in brotli. */
function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + built.files.get(`${name}.br`)!.length, 0)
}

function textOf(name: string): string {
  return brotliDecompressSync(built.files.get(`${name}.br`)!).toString()
}

const all = (): string[] => [...built.files.keys()].flatMap((name) => (name.endsWith('.br') ? [name.slice(0, -3)] : []))
const named = (): string[] =>
  [...textOf('index.html').matchAll(/(?:href|src)="\/console\/-\/([^"]+)"/g)].map(([, name]) => name!)

/** The words of the first screen, and of the places. */
const wordsOf = (language: string): string[] => {
  const [, content] = new RegExp(`name="words-${language}" content="([^"]+)"`).exec(textOf('index.html'))!
  return content!.split(' ').map((address) => address.replace('/console/-/', ''))
}
const allWords = (): string[] => languagesIn().flatMap(wordsOf)

describe('The built console', () => {
  for (const language of languagesIn())
    it(`is small in ${language}: the first screen 50 KB of code and words, 12 KB of looks; no place over 32 KB; all of it 234 KB`, () => {
      const [start, places] = wordsOf(language)
      const first = [...named(), ...all().filter((name) => name.startsWith('home-')), start!]
      assert.ok(first.length >= 6 && sizeOf(first) > 3 * KB)
      const code = sizeOf(first.filter((name) => name.endsWith('.js')))
      const looks = sizeOf(first.filter((name) => name.endsWith('.css')))
      assert.ok(code <= 50 * KB, `${code} bytes of code`)
      assert.ok(looks <= 12 * KB, `${looks} bytes of looks`)
      for (const name of all().filter((each) => each.endsWith('.js') && !first.includes(each)))
        assert.ok(sizeOf([name]) <= 32 * KB, `${sizeOf([name])} bytes of ${name}`)
      const others = allWords().filter((name) => name !== start && name !== places)
      assert.equal(others.length, allWords().length - 2)
      const sum = sizeOf(all().filter((name) => !others.includes(name)))
      assert.ok(sum <= 234 * KB, `${sum} bytes of all`)
    })

  it('takes 292 KB of the executable at most', () => {
    const carried = [...built.files.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    assert.ok(carried <= 292 * KB, `${carried} bytes in the executable`)
  })

  it('has its looks in one sheet, and every file in brotli alone', () => {
    assert.equal(all().filter((name) => name.endsWith('.css')).length, 1)
    assert.equal(all().length, built.files.size)
  })

  it('has a file for each place, and two of words for each language, with all words of that language alone', () => {
    const isOther = (name: string) => !named().includes(name) && !allWords().includes(name)
    const files = all().filter((name) => name.endsWith('.js') && isOther(name))
    const places = files.map((name) => name.split('-')[0])
    assert.equal(new Set(places).size, places.length, places.join(' '))
    assert.ok(places.includes('people') && places.includes('records'))
    const found = (text: string) => all().filter((name) => textOf(name).includes(text))
    assert.deepEqual(found('Add an API key'), [wordsOf('en')[1]])
    assert.deepEqual(found('API-Schlüssel anlegen'), [wordsOf('de')[1]])
    assert.deepEqual(found('Nothing waits for you.'), [wordsOf('en')[0]])
  })

  it('has no shapes of input in it, which the server checks', () => {
    assert.ok(built.inputs.includes('src/core/search/rules/criterion.ts'))
    assert.deepEqual(
      all().filter((name) => textOf(name).includes('~run')),
      [],
    )
  })

  it('has no engine of patterns in it, and names no other host', () => {
    assert.ok(built.inputs.includes('node_modules/preact/dist/preact.mjs'))
    assert.deepEqual(
      built.inputs.filter((file) => /re2js\/|^node_modules\/(?!preact|@preact|valibot)/.test(file)),
      [],
    )
    // No request goes to these addresses: they are names of vocabularies, and links in error messages.
    const known = /^https?:\/\/(www\.w3\.org\/|pimlet\.)/
    for (const name of all()) {
      const addresses = textOf(name).match(/https?:\/\/[\w.-]+\.[a-z]+[^\s'"`)]*/gi) ?? []
      assert.deepEqual(
        addresses.filter((address) => !known.test(address)),
        [],
        name,
      )
    }
  })

  it('is made of the same files each time', async () => {
    const again = await buildConsole()
    assert.deepEqual([...again.files.keys()].toSorted(), [...built.files.keys()].toSorted())
  })

  it('has spaces and sizes of the tokens alone: a style names no pixels but those of hairlines', () => {
    const declarations = readdirSync(STYLES).flatMap((file) =>
      [...readFileSync(path.join(STYLES, file), 'utf8').matchAll(/^\s*(?!-)[\w-]+:[^;{}]*;/gm)].map(([text]) => text),
    )
    assert.ok(declarations.length > 1000)
    const raw = declarations.filter((text) => /(?<![\d.])(?!0*[12]px)[\d.]+px/.test(text))
    assert.deepEqual(raw, [])
  })
})
