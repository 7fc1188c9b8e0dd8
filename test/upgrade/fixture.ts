// Data directories that released versions have made, with what those versions answered: packed into one file each.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Bytes: they are kept in the repository for good. */
const MAX_PACKED = 200 * 1024

/** Made again at every start. */
const LEFT_OUT = new Set(['native', 'plugins', 'lock'])

export interface Fixture {
  readonly version: string
  /** What was answered, by question (see `questions.ts`), to an admin and to a role that does not see all. */
  readonly answers: Readonly<Record<'admin' | 'clerk', Readonly<Record<string, unknown>>>>
  /** Of the clerk. The admin's is that of every test. */
  readonly clerkKey: string
}

interface Packed extends Fixture {
  /** Base64 by path. */
  readonly files: Readonly<Record<string, string>>
}

export function fixtureFile(version: string): string {
  return path.join(import.meta.dirname, `data-directory-${version}.json.br`)
}

/** The versions that there is one of. */
export function fixtureVersions(): string[] {
  return readdirSync(import.meta.dirname).flatMap((name) => /^data-directory-(.+)\.json\.br$/.exec(name)?.[1] ?? [])
}

export function packFixture(dataDir: string, fixture: Fixture): void {
  const files = Object.fromEntries(
    listFiles(dataDir).map((name) => [name, readFileSync(path.join(dataDir, name)).toString('base64')]),
  )
  const packed: Packed = { ...fixture, files }
  const bytes = brotliCompressSync(JSON.stringify(packed), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
  if (bytes.length > MAX_PACKED) throw new Error(`The fixture has ${bytes.length} bytes, and may have ${MAX_PACKED}`)
  writeFileSync(fixtureFile(fixture.version), bytes)
}

export function unpackFixture(version: string, dataDir: string): Fixture {
  const { files, ...fixture } = JSON.parse(
    brotliDecompressSync(readFileSync(fixtureFile(version))).toString(),
  ) as Packed
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dataDir, name)), { recursive: true, mode: 0o700 })
    writeFileSync(path.join(dataDir, name), Buffer.from(content, 'base64'), { mode: 0o600 })
  }
  return fixture
}

function listFiles(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !LEFT_OUT.has(name.split(path.sep)[0]!) && statSync(path.join(dataDir, name)).isFile(),
  )
}
