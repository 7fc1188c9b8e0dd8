// A language of the console is a folder of words, and nothing else.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { buildConsole } from '../../../scripts/build/console.ts'
import { languagesIn } from '../../../scripts/build/languages.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const OTHERS = languagesIn().filter((tag) => tag !== 'en')

describe('A language of the console', () => {
  it('is a folder beside the other languages: the build needs no other change', async (t) => {
    const root = mkdtempSync(path.join(tmpdir(), 'pimlet-language-'))
    t.after(() => rmSync(root, { recursive: true }))
    for (const name of ['console', 'src']) cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
    cpSync(path.join(ROOT, 'tsconfig.json'), path.join(root, 'tsconfig.json'))
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
    const words = path.join(root, 'console/words')
    cpSync(path.join(words, 'de'), path.join(words, 'eo'), { recursive: true })
    for (const [file, said, other] of [
      ['common.ts', "'Speichern'", "'Konservi'"],
      ['people.ts', "'API-Schlüssel anlegen'", "'Aldoni ŝlosilon'"],
      ['shell.ts', 'Erneut versuchen.', '\\"Reprovu\\" & <poste>.'],
    ] as const) {
      const text = readFileSync(path.join(words, 'eo', file), 'utf8')
      assert.ok(text.includes(said), said)
      writeFileSync(path.join(words, 'eo', file), text.replace(said, other))
    }
    const { files } = await buildConsole(root)
    const textOf = (name: string) => brotliDecompressSync(files.get(`${name}.br`)!).toString()
    const [, content, notLoaded] = /name="words-eo" content="([^"]+)" data-not-loaded="([^"]+)"/.exec(
      textOf('index.html'),
    )!
    assert.match(notLoaded!, /&quot;Reprovu&quot; &amp; &lt;poste>\.$/)
    const [start, places] = content!.split(' ').map((address) => address.replace('/console/-/', ''))
    assert.ok(textOf(start!).includes('Konservi') && files.has(`${start}.br`))
    assert.ok(textOf(places!).includes('Aldoni ŝlosilon'))
  })

  it('is named by no source of the console or of its build', () => {
    assert.ok(OTHERS.length > 0)
    const named = new RegExp(`(['"\`/])(${OTHERS.join('|')})(\\1|[-/])`)
    const sources = ['console', 'scripts/build', 'src/console-host'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    const isWords = (file: string) => languagesIn().some((tag) => file.startsWith(`console/words/${tag}/`))
    const codeOf = (file: string) =>
      readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    const isSource = (file: string) => /\.(tsx?|html)$/.test(file) && !isWords(file)
    const found = sources.filter((file) => isSource(file) && named.test(codeOf(file)))
    assert.deepEqual(found, [])
  })
})
