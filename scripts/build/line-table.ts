// Maps lines of the bundle to lines of our own sources. A complete source map would be larger than the bundle, and use
// many times the memory of a server.
import { SourceMap } from 'node:module'
import path from 'node:path'
import type { LineTable } from '../../src/kernel/executable/source-lines.ts'

/**
 * @param map as esbuild writes it
 * @param code that it belongs to
 * @param directory that the map's sources are relative to
 * @param root that the table's sources are relative to
 */
export function makeLineTable(map: string, code: string, directory: string, root: string): LineTable {
  const sourceMap = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0])
  const nameOf = (source: string): string =>
    path.relative(root, path.resolve(directory, source)).replaceAll(path.sep, '/')
  const names = new Map<string, string>()
  const sources: string[] = []
  const runs: [number, number, number][] = []
  let last = { source: -1, offset: 0 }
  for (const [index, text] of code.split('\n').entries()) {
    const entry = sourceMap.findEntry(index, text.search(/\S|$/))
    if (!('originalSource' in entry) || entry.generatedLine !== index) continue
    const name = names.get(entry.originalSource) ?? nameOf(entry.originalSource)
    names.set(entry.originalSource, name)
    const isOurs = /^(src|plugins)\//.test(name)
    if (isOurs && !sources.includes(name)) sources.push(name)
    const run = { source: isOurs ? sources.indexOf(name) : -1, offset: isOurs ? entry.originalLine - index : 0 }
    if (run.source === last.source && run.offset === last.offset) continue
    runs.push([index + 1, run.source, run.source === -1 ? 0 : entry.originalLine + 1])
    last = run
  }
  return { sources, runs }
}
