// `node scripts/test.ts [--postgres VERSION] [--servers N] [GLOB…]`: runs the tests in some processes at a time. What most small test
// files cost is to load what they test, so that those of a folder share a process where they leave it as it was.
import { globSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Ended, type Place, runTogether } from './tests/run-together.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const PROCESSES = 3
/** Folders whose files share processes, so many each. Elsewhere tests measure their process, change it, or need it for themselves. */
const SHARING: Readonly<Record<string, number>> = { 'test/domain': 30, 'test/http/routes': 8 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'string' }, servers: { type: 'string' } },
})
const place: Place = { postgres: values.postgres, servers: Number(values.servers ?? 1) }
const files = globSync(positionals.length > 0 ? positionals : ['test/**/*.test.ts'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).sort()
process.exitCode = (await runAll(groupsOf(files), place)) ? 0 : 1

function groupsOf(paths: readonly string[]): string[][] {
  const groups: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of paths) {
    const folder = Object.keys(SHARING).find((name) => file.startsWith(`${name}/`))
    if (folder === undefined) {
      groups.push([file])
      continue
    }
    const group = open.get(folder)
    if (group !== undefined && group.length < SHARING[folder]!) {
      group.push(file)
      continue
    }
    const next = [file]
    open.set(folder, next)
    groups.push(next)
  }
  // What takes longer begins first.
  return groups.toSorted((one, other) => other.length - one.length)
}

/** Resolves to whether all are green. */
async function runAll(groups: readonly string[][], where: Place): Promise<boolean> {
  const begin = performance.now()
  const waiting = [...groups]
  const failed: string[] = []
  const times: [seconds: number, name: string][] = []
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const ended = await runTogether(group, where)
      const name = nameOf(group)
      times.push([ended.seconds, name])
      console.log(`${ended.isGreen ? '✔' : '✖'} ${name} (${ended.seconds.toFixed(1)} s)${countsOf(ended)}`)
      if (ended.isGreen) continue
      failed.push(name)
      console.log(ended.output)
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  const slowest = times.toSorted(([one], [other]) => other - one).slice(0, 15)
  console.log(
    `\nThe slowest:\n${slowest.map(([seconds, name]) => `${seconds.toFixed(1).padStart(7)} s  ${name}`).join('\n')}`,
  )
  console.log(`\n${files.length} files in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`)
  return failed.length === 0
}

function nameOf(group: readonly string[]): string {
  return group.length === 1 ? group[0]! : `${group[0]!} … ${path.basename(group.at(-1)!)}, ${group.length} files`
}

/** How many tests there were, and why some were skipped. */
function countsOf({ output }: Ended): string {
  const skipped = output.split('\n').filter((line) => line.includes('# ') && line.includes('﹣'))
  return skipped.map((line) => `\n  ${line.trim()}`).join('')
}
