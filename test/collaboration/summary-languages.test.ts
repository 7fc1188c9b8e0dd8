// A language of daily summaries is a file of words, and nothing else. Contract 5 §7.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { languagesIn } from '../../scripts/build/languages.ts'
import { summaryWordsOf, wordsFor } from '../../src/collaboration/rules/summary-words.ts'
import { type SummaryItem, writeSummary } from '../../src/collaboration/rules/summary-text.ts'
import { readSummaryWords } from '../../src/collaboration/summary-files.ts'
import { readPages } from '../../src/kernel/executable/assets.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const files = readPages('summaries')

/** The texts of a file by their path, `notices.reply`; plural forms are one text. */
function textsOf(value: unknown, at = ''): (readonly [string, string])[] {
  if (typeof value === 'string') return [[at.replace(/\.(zero|one|two|few|many|other)$/, ''), value]]
  return Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, at === '' ? name : `${at}.${name}`))
}

const placesOf = (text: string): string => (text.match(/\{\w+\}/g) ?? []).toSorted().join()

describe('A language of daily summaries', () => {
  it('is a file beside the other languages: the server needs no other change', async (t) => {
    const root = mkdtempSync(path.join(tmpdir(), 'pimlet-summaries-'))
    t.after(() => rmSync(root, { recursive: true }))
    for (const name of ['src', 'pages']) cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
    cpSync(path.join(ROOT, 'package.json'), path.join(root, 'package.json'))
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
    const few = '{ "one": "{count} rekord", "few": "{count} rekordy", "other": "{count} rekordów" }'
    const made = { ...(JSON.parse(files.get('en.json')!) as object), records: JSON.parse(few) as unknown }
    writeFileSync(path.join(root, 'pages/summaries/pl.json'), JSON.stringify(made))
    const file = pathToFileURL(path.join(root, 'src/collaboration/summary-files.ts')).href
    const copy = (await import(file)) as { readSummaryWords: typeof readSummaryWords }
    const words = wordsFor('pl-PL', copy.readSummaryWords())
    assert.equal(words.language, 'pl')
    const item: SummaryItem = { kind: 'assignment', by: '{what}', label: null, count: 3, dueOn: null, path: null }
    const news = [1, 3, 5].map((count) => ({ ...item, count }))
    const { text, html } = writeSummary({ name: 'Ewa', words, work: [], news, more: 0, publicUrl: null })
    assert.match(html, /<html lang="pl">/)
    for (const told of ['1 rekord', '3 rekordy', '5 rekordów'])
      assert.ok(text.includes(`you \u2068${told}\n`) || text.includes(`you ${told}\n`), text)
    assert.ok(text.includes('\u2068{what}\u2069 assigned'), 'a name is no place for a value')
  })

  it('has a file for each language of the console, with the places for values of the English one', () => {
    assert.deepEqual([...readSummaryWords().keys()].toSorted(), [...languagesIn()].toSorted())
    const english = new Map(textsOf(JSON.parse(files.get('en.json')!)).map(([at, text]) => [at, placesOf(text)]))
    for (const [name, text] of files)
      for (const [at, word] of textsOf(JSON.parse(text))) assert.equal(placesOf(word), english.get(at), `${name} ${at}`)
  })

  it('is found by its tag, or else by its language; any other is English', () => {
    const known = summaryWordsOf(new Map([...files, ['pt-BR.json', files.get('de.json')!]]))
    const found = (tag: string) => wordsFor(tag, known).language
    assert.deepEqual(['pt-br', 'pt-PT', 'de-AT', 'FR', 'constructor', ''].map(found), [
      'pt-BR',
      'en',
      'de',
      'fr',
      'en',
      'en',
    ])
  })

  it('is refused without a word, and the message names file and word', () => {
    const { hello: _, ...less } = JSON.parse(files.get('de.json')!) as Record<string, unknown>
    assert.throws(() => summaryWordsOf(new Map([['eo.json', JSON.stringify(less)]])), /eo\.json.*hello/)
    const empty = JSON.stringify({ ...less, hello: '' })
    assert.throws(() => summaryWordsOf(new Map([['eo.json', empty]])), /eo\.json\.hello must not be empty/)
  })

  it('is named by no source of its wing', () => {
    const others = [...readSummaryWords().keys()].filter((tag) => tag !== 'en')
    const named = new RegExp(`['"\`](?:${others.join('|')})['"\`]`)
    const folder = path.join(ROOT, 'src/collaboration')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!-examples)\.ts$/.test(file),
    )
    const codeOf = (file: string) =>
      readFileSync(path.join(folder, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    assert.deepEqual(
      sources.filter((file) => named.test(codeOf(file))),
      [],
    )
  })
})
