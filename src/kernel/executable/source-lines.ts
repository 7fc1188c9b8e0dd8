// Stack traces of the bundle and the executable in terms of the sources, for the log. Read when the first one is needed.
import { readBundleFile } from './assets.ts'

/** The source lines of one file of the bundle. Lines count from 1. */
export interface LineTable {
  readonly sources: readonly string[]
  /** From this line of the bundle on: the source (-1: a package) and its line; both line numbers grow together. */
  readonly runs: readonly (readonly [line: number, source: number, sourceLine: number])[]
}

const PLACE = /(\(|\bat (?:async )?)[^()\n]*\b((?:pimlet|thread)\.cjs):(\d+):\d+/g

/** Replaces `/dist/pimlet.cjs:3456:7` in `stack` by `src/app/app.ts:12`; lines of packages stay. */
export function withSourceLines(stack: string, readTable: (file: string) => LineTable | undefined = tableOf): string {
  return stack.replaceAll(PLACE, (place, before: string, file: string, line: string) => {
    const { sources, runs } = readTable(file) ?? { sources: [], runs: [] }
    const [begin = 0, source = -1, sourceLine = 0] = runs.findLast(([first]) => first <= Number(line)) ?? []
    return source === -1 ? place : `${before}${sources[source]}:${sourceLine + Number(line) - begin}`
  })
}

const tables = new Map<string, LineTable | undefined>()

/** Undefined in a checkout, whose traces name the sources as they are. */
function tableOf(file: string): LineTable | undefined {
  if (!tables.has(file)) {
    const text = readBundleFile(`${file}.lines.json`)
    tables.set(file, text === undefined ? undefined : (JSON.parse(text) as LineTable))
  }
  return tables.get(file)
}
