// Guides and comments name files by their paths, or by the ends of these: the files exist.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'

const root = path.join(import.meta.dirname, '..')
const FOLDERS = ['src', 'plugins', 'console', 'scripts', 'test', 'pages', 'docs', 'migrations', 'postgres', 'demo']
/** Examples, and files that the build makes. */
const ELSEWHERE = /^(?:dist\/|console\/api\/types\.ts$|migrations\/(?:NNNN-name|0002-more)\.sql$)/
const COMMENT = /^\s*(?:\/\/|\/?\*|--)/
const PATH = /(?<![\w./:@-])(?:[\w-][\w.-]*\/)+[\w.-]+\.(?:tsx?|sql|mjs|css|md)\b/g

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name).replaceAll(path.sep, '/'),
  ),
).filter((file) => !file.includes('/node_modules/'))

function findUnknown(text: string, known: readonly string[]): string[] {
  return [...text.matchAll(PATH)]
    .map(([name]) => name)
    .filter((name) => !ELSEWHERE.test(name) && !known.some((file) => file === name || file.endsWith(`/${name}`)))
}

it('Guides and comments name files that exist', () => {
  const texts = [...files, 'README.md', 'CONTRIBUTING.md', 'schema.sql'].filter((file) =>
    /\.(?:tsx?|sql|md)$/.test(file),
  )
  assert.ok(texts.length > 1000)
  const unknown = texts.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const told = file.endsWith('.md')
      ? text
      : text
          .split('\n')
          .filter((line) => COMMENT.test(line))
          .join('\n')
    return findUnknown(told, files).map((name) => `${file} names ${name}`)
  })
  assert.deepEqual(unknown, [])
  assert.deepEqual(findUnknown('`rules/gone.ts` and src/kernel/own.ts', ['src/kernel/own.ts']), ['rules/gone.ts'])
})
