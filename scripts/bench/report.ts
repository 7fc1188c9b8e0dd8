// The report of a run, and its place in a document.
import { cpus, release, totalmem, type } from 'node:os'
import { existsSync, readFileSync } from 'node:fs'
import { renderTable, type Row } from './table.ts'

const BEGIN = '<!-- Written by npm run bench -- --write -->'
const END = '<!-- End of what npm run bench wrote -->'

export interface Run {
  readonly rows: readonly Row[]
  readonly records: number
  readonly source: string
}

export function describeRun({ rows, records, source }: Run): string {
  const [processor] = cpus()
  const gibibytes = Math.round(totalmem() / 1024 ** 3)
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${gibibytes} GiB, ${type()} ${release()}.`,
    `Command: \`npm run bench -- ${process.argv
      .slice(2)
      .filter((word, at, words) => word !== '--write' && words[at - 1] !== '--write')
      .join(' ')}\`: ${records.toLocaleString('en-US')} records made from ${source}.`,
    '',
    renderTable(rows),
    '',
  ].join('\n')
}

/** Returns the text of `file` with its earlier report replaced; without a file, only the report. */
export function withReport(file: string, report: string): string {
  const marked = `${BEGIN}\n\n${report}\n${END}`
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin === -1 || end < begin) return `${text}${text === '' ? '' : '\n'}${marked}\n`
  return text.slice(0, begin) + marked + text.slice(end + END.length)
}
