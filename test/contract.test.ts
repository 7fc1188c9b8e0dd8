// Comments cite docs/contract.md as `contract 2 §3`: the section is there, and each section is there once.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'

const root = path.join(import.meta.dirname, '..')
const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const texts = new Map(
  ['src', 'plugins', 'scripts', 'test', 'pages', 'migrations', 'docs']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name),
      ),
    )
    .filter((file) => /\.(ts|js|mjs|sql|css|html|md)$/.test(file) && !file.startsWith(path.join('test', 'clients')))
    .concat('CONTRIBUTING.md', 'README.md', 'schema.sql')
    .map((file) => [file, readText(file)]),
)
const sections = [...readText('docs/contract.md').matchAll(/^#+ ([1-5] §[\d.]+) \S/gm)].map(([, section]) => section!)

/** Sections of the contract, and the first of a range. */
function findCitations(text: string): string[] {
  return [...text.matchAll(/(?<![\d.])[1-5]\s§\d+(?:\.\d+)*/g)].map(([citation]) => citation.replace(/\s/, ' '))
}

describe('The contract', () => {
  it('has each section once, in order', () => {
    const inOrder = sections.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    assert.ok(sections.length > 50)
    assert.deepEqual(sections, [...new Set(inOrder)])
  })

  it('has every section that is cited', () => {
    const known = new Set(sections)
    const unknown = [...texts].flatMap(([file, text]) =>
      findCitations(text)
        .filter((citation) => !known.has(citation))
        .map((citation) => `${file} cites ${citation}`),
    )
    assert.deepEqual(unknown, [])
  })

  it('is cited in one form, as part and section', () => {
    const others = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/(?<![1-5]\s|RFC \d{4}\s|–)§\d|\b(?:interface|decisions) §|\bcontract part\b/gi)].map(
        ({ index }) => `${file}: ${text.slice(Math.max(0, index - 30), index + 20)}`,
      ),
    )
    assert.deepEqual(others, [])
  })
})
