// Measures the cost of each table and index per record: time by bare SQL, bytes in pimlet's files.
import path from 'node:path'
import { type BareWriter, startBareWriter } from '../bare-writer.ts'
import type { Part } from '../references/bare-rows.ts'
import { median } from '../statistics.ts'
import { microseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 3
const RECORDS_PER_ROUND = 5000

interface Cost {
  readonly name: string
  readonly part: Part
  /** Like pimlet: acknowledged data in small durable batches, the search index in large ones. */
  readonly durable: boolean
  readonly batch: number
  /** Whether the bytes of a table or index belong to this part. */
  readonly isOf: (table: string) => boolean
}

const COSTS: readonly Cost[] = [
  {
    name: 'the document, with the indexes over its ID, schema and state',
    part: 'document',
    durable: true,
    batch: 64,
    isOf: (table) => /^(record|record_by_\w+|sqlite_autoindex_record_\d+)$/.test(table),
  },
  {
    name: 'the audit entry, with the index over its record',
    part: 'audit',
    durable: true,
    batch: 64,
    isOf: (table) => table.startsWith('audit'),
  },
  { name: 'value rows', part: 'values', durable: false, batch: 1000, isOf: (table) => table === 'value' },
  {
    name: 'the list of a record’s value rows, to take them back by',
    part: 'back',
    durable: false,
    batch: 1000,
    isOf: (table) => table === 'indexed',
  },
  {
    name: 'full text (trigrams) with the folded text',
    part: 'text',
    durable: false,
    batch: 1000,
    isOf: (table) => table.startsWith('text_'),
  },
]

export async function measureCosts({ directory, files }: Workspace, records: number): Promise<Row[]> {
  const sizes = [...files.sizes()]
  const stored = files.listIds().length
  const rows: Row[] = []
  for (const cost of COSTS) {
    const writer = startBareWriter({ file: path.join(directory, `cost-${cost.part}.db`), durable: cost.durable })
    try {
      const { time, valueRows } = await measureTime(writer, cost, Math.min(records, RECORDS_PER_ROUND))
      const bytes = sizes.reduce((sum, [table, size]) => (cost.isOf(table) ? sum + size : sum), 0) / stored
      rows.push({
        name: `cost per record: ${cost.part === 'values' ? `${valueRows.toFixed(1)} ` : ''}${cost.name}; ${cost.durable ? '`synchronous=FULL`' : '`synchronous=NORMAL`'}, batches of ${cost.batch}`,
        pimlet: `${Math.round(bytes)} bytes`,
        reference: microseconds(time),
      })
    } finally {
      await writer.stop()
    }
  }
  return rows
}

async function measureTime(
  writer: BareWriter,
  { part, batch }: Cost,
  count: number,
): Promise<{ time: number; valueRows: number }> {
  const times: number[] = []
  let valueRows = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const result = await writer.insert({ from: round * count + 1, count, batch, parts: [part] })
    times.push((result.seconds / count) * 1e6)
    valueRows = result.valueRows / count
  }
  return { time: median(times), valueRows }
}
