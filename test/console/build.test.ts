// The console as it is built: how much a browser loads of it, and what is not in it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type BuiltConsole, buildConsole } from '../../scripts/build/console.ts'

const KB = 1024

let built: BuiltConsole
before(async () => {
  built = await buildConsole()
})

/** As gzip packs them. */
function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + built.files.get(`${name}.gz`)!.length, 0)
}

function textOf(name: string): string {
  return gunzipSync(built.files.get(`${name}.gz`)!).toString()
}

const all = (): string[] => [...built.files.keys()].flatMap((name) => (name.endsWith('.gz') ? [name.slice(0, -3)] : []))
const named = (): string[] => [...textOf('index.html').matchAll(/="\/console\/-\/([^"]+)"/g)].map(([, name]) => name!)

describe('The built console', () => {
  it('is small: the first screen 60 KB of code and 12 KB of looks, all of it 180 KB', () => {
    const first = named()
    assert.ok(first.length >= 3 && sizeOf(first) > 3 * KB)
    const code = sizeOf(first.filter((name) => name.endsWith('.js')))
    const looks = sizeOf(first.filter((name) => name.endsWith('.css')))
    assert.ok(code <= 60 * KB, `${code} bytes of code`)
    assert.ok(looks <= 12 * KB, `${looks} bytes of looks`)
    assert.ok(sizeOf(all()) <= 180 * KB, `${sizeOf(all())} bytes of all`)
    const carried = [...built.files.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    assert.ok(carried <= 300 * KB, `${carried} bytes in the executable`)
  })

  it('has its looks in one sheet, and what the page begins with packed twice', () => {
    assert.equal(all().filter((name) => name.endsWith('.css')).length, 1)
    for (const name of ['index.html', ...named()]) assert.ok(built.files.has(`${name}.br`), name)
  })

  it('has a file for each place, with its words, and loads no words of places before them', () => {
    const files = all().filter((name) => name.endsWith('.js') && !named().includes(name))
    const places = files.map((name) => name.split('-')[0])
    assert.equal(new Set(places).size, places.length, places.join(' '))
    assert.ok(places.includes('people') && places.includes('records'))
    const people = files.filter((name) => name.startsWith('people-'))
    for (const text of ['Add an API key', 'API-Schlüssel anlegen'])
      assert.deepEqual(
        files.concat(named()).filter((name) => textOf(name).includes(text)),
        people,
      )
  })

  it('has no shapes of input in it, which the server checks', () => {
    assert.ok(built.inputs.includes('src/domain/search/criterion.ts'))
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
    // Of these none is asked for anything: names of vocabularies, and what error messages explain.
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
})
