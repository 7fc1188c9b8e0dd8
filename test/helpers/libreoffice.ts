// Converts files by LibreOffice. Without LibreOffice its tests are skipped (`.ci/install-packages` installs it).
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeTempDirectory } from './temp-directory.ts'

const PROGRAM = '/usr/bin/soffice'

export const lacksLibreOffice: string | false = existsSync(PROGRAM)
  ? false
  : 'LibreOffice is not installed: .ci/install-packages'

/** Commas, UTF-8, every text in quotes, and numbers in full, regardless of cell formats. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false'

/** Java is not installed, and fonts may be few; sheets need neither. */
const ABOUT_THE_MACHINE = /^(?:Warning: failed to launch javaldx|Fontconfig (?:warning|error):).*\n/gm

/** The status of a program that called `abort`. */
const ABORTED = 134

/** Returns a file as LibreOffice saves an xlsx. Fails if LibreOffice prints anything but success. */
export async function convert(xlsx: Buffer, to: 'csv' | 'xlsx'): Promise<Buffer> {
  try {
    return await convertOnce(xlsx, to)
  } catch (error) {
    // LibreOffice sometimes aborts during its start, independently of the file.
    if ((error as { code?: unknown }).code !== ABORTED) throw error
    return convertOnce(xlsx, to)
  }
}

async function convertOnce(xlsx: Buffer, to: 'csv' | 'xlsx'): Promise<Buffer> {
  const directory = makeTempDirectory()
  const [source, target] = [path.join(directory, 'given.xlsx'), path.join(directory, 'out')]
  await writeFile(source, xlsx)
  const profile = `-env:UserInstallation=file://${directory}/profile`
  const options = [profile, '--headless', '--norestore', '--convert-to', to === 'csv' ? CSV : 'xlsx']
  const { stdout, stderr } = await promisify(execFile)(PROGRAM, [...options, '--outdir', target, source], {
    timeout: 120_000,
    env: { ...process.env, HOME: directory },
  })
  assert.match(stdout, /^convert \S+given\.xlsx\S* -> \S+ using filter : [^\n]+\n$/)
  assert.equal(stderr.replace(ABOUT_THE_MACHINE, ''), '')
  return readFile(path.join(target, `given.${to}`))
}
