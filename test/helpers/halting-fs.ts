// Installs the sample destination `file` as a plugin that halts at a given point. Its functions of node:fs/promises are
// replaced by counting ones, and the name of the job's directory sets the halting point.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const SAMPLE = path.join(import.meta.dirname, '../plugins/sample/file.mjs')
const IMPORT = "from 'node:fs/promises'"

/** `open 1 before` halts before the first call of `open`; `write 40 after` halts after the fortieth write. */
const HALTING = `
import * as fs from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

const counts = new Map()
const stageOf = (file) => (path.basename(path.dirname(file)).includes(' ') ? path.dirname(file) : file)

async function step(stage, name, work) {
  const key = stage + name
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  await haltAt(stage, name + ' ' + count + ' before')
  const result = await work()
  await haltAt(stage, name + ' ' + count + ' after')
  return result
}

async function haltAt(stage, point) {
  if (path.basename(stage) !== point) return
  writeFileSync(stage + '.halted', '')
  await new Promise((resolve) => setInterval(resolve, 2 ** 30))
}

export async function open(file, ...rest) {
  const stage = stageOf(file)
  const handle = await step(stage, 'open', () => fs.open(file, ...rest))
  return {
    writeFile: (data) => step(stage, 'write', () => handle.writeFile(data)),
    sync: () => step(stage, 'sync', () => handle.sync()),
    close: () => step(stage, 'close', () => handle.close()),
  }
}
export const rename = (from, to) => step(stageOf(from), 'rename', () => fs.rename(from, to))
export const stat = (file) => step(stageOf(file), 'stat', () => fs.stat(file))
export const unlink = (file) => fs.unlink(file)
`

/** Installs the plugin, which differs from the sample only by its halting. */
export function installHaltingSample(pluginsDir: string): void {
  const sample = readFileSync(SAMPLE, 'utf8')
  if (!sample.includes(IMPORT)) throw new Error('The sample no longer imports node:fs/promises')
  mkdirSync(path.join(pluginsDir, 'lib'), { recursive: true })
  writeFileSync(path.join(pluginsDir, 'lib/halting-fs.mjs'), HALTING)
  writeFileSync(path.join(pluginsDir, 'file.mjs'), sample.replace(IMPORT, "from './lib/halting-fs.mjs'"))
}

/** Makes a directory for exports in which a delivery halts at `point`. */
export function makeStage(root: string, point: string): { directory: string; isHalted: () => boolean } {
  const directory = path.join(root, point)
  mkdirSync(directory)
  return { directory, isHalted: () => existsSync(`${directory}.halted`) }
}
