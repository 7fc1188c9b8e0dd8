// `node scripts/test.ts [--postgres VERSION] [--servers N] [--processes N] [GLOB…]`: runs the tests in some processes at a time. What most
// small test files cost is to load what they test, so that those of a folder share a process where they leave it as it was.
import { globSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Counts, type Place, runTogether } from './tests/run-together.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Folders whose files share processes, so many each. Elsewhere tests measure their process, change it, or need it for themselves. */
const SHARING: Readonly<Record<string, number>> = { 'test/domain': 30, 'test/http/routes': 8 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    postgres: { type: 'string' },
    servers: { type: 'string' },
    processes: { type: 'string', default: '3' },
  },
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
  const byFolder = new Map<string, Counts[]>()
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const ended = await runTogether(group, where)
      const name = nameOf(group)
      const folder = path.dirname(group[0]!).split('/').slice(0, 2).join('/')
      times.push([ended.seconds, name])
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), ended.counts])
      const reasons = ended.counts.reasons.map((reason) => `\n  ${reason}`).join('')
      console.log(
        `${ended.isGreen ? '✔' : '✖'} ${name} (${ended.seconds.toFixed(1)} s) ${describeCounts([ended.counts])}${reasons}`,
      )
      if (ended.isGreen) continue
      failed.push(name)
      console.log(ended.output.slice(Math.max(0, ended.output.indexOf('✖ failing tests'))))
    }
  }
  await Promise.all(Array.from({ length: Number(values.processes) }, work))
  const slowest = times.toSorted(([one], [other]) => other - one).slice(0, 15)
  console.log(
    `\nThe slowest:\n${slowest.map(([seconds, name]) => `${seconds.toFixed(1).padStart(7)} s  ${name}`).join('\n')}`,
  )
  const tally = [...byFolder].toSorted(([one], [other]) => (one < other ? -1 : 1))
  console.log(`\n${tally.map(([folder, counts]) => `${folder}: ${describeCounts(counts)}`).join('\n')}`)
  console.log(`\n${files.length} files in ${((performance.now() - begin) / 1000).toFixed(0)} s`)
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`)
  return failed.length === 0
}

function nameOf(group: readonly string[]): string {
  return group.length === 1 ? group[0]! : `${group[0]!} … ${path.basename(group.at(-1)!)}, ${group.length} files`
}

function describeCounts(counts: readonly Counts[]): string {
  const sum = (name: 'tests' | 'pass' | 'fail' | 'skipped'): number =>
    counts.reduce((total, one) => total + one[name], 0)
  return `${sum('tests')} tests, ${sum('pass')} passed, ${sum('skipped')} skipped, ${sum('fail')} failed`
}
