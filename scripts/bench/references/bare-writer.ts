// Inserts and updates records by bare SQL on the parent's orders, and answers with the time.
import { openCatalogue } from '../catalogue.ts'
import { BareInserts, bareModel, openBareFile, type Part, prepareRecord } from './bare-rows.ts'
import { BareUpdates, prepareUpdate } from './bare-updates.ts'

/** Orders new records from number `from` on. */
export interface BareOrder {
  readonly from: number
  readonly count: number
  readonly batch: number
  readonly parts: readonly Part[]
}

/** Orders updates of existing records. */
export interface BareUpdateOrder {
  readonly numbers: readonly number[]
  readonly batch: number
  readonly round: number
}

export interface BareResult {
  readonly seconds: number
  /** Microseconds of processor time. */
  readonly microseconds: number
  readonly valueRows: number
}

const [, , file = '', durable, checkpointPages = '1000'] = process.argv
const catalogue = openCatalogue()
const model = bareModel(catalogue)
const db = openBareFile(file, { durable: durable === 'durable' })
db.pragma(`wal_autocheckpoint = ${Number(checkpointPages)}`)
const inserts = new BareInserts(db)
const updates = new BareUpdates(db)
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')

function insert({ from, count, batch, parts }: BareOrder): BareResult {
  const records = Array.from({ length: count }, (_, index) => prepareRecord(catalogue, model, from + index))
  const valueRows = records.reduce((sum, record) => sum + record.values.length, 0)
  return { ...runInBatches(records, batch, (record, index) => inserts.insert(record, from + index, parts)), valueRows }
}

function update({ numbers, batch, round }: BareUpdateOrder): BareResult {
  const prepared = numbers.map((number) => prepareUpdate(catalogue, model, number, round))
  const valueRows = prepared.reduce((sum, { added }) => sum + added.length, 0)
  return { ...runInBatches(prepared, batch, (one) => updates.update(one)), valueRows }
}

function runInBatches<Item>(
  items: readonly Item[],
  batch: number,
  write: (item: Item, index: number) => void,
): Omit<BareResult, 'valueRows'> {
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  for (let at = 0; at < items.length; at += batch) {
    begin.run()
    for (let index = at; index < Math.min(items.length, at + batch); index += 1) write(items[index]!, index)
    commit.run()
  }
  const seconds = (performance.now() - startedAt) / 1000
  const used = process.cpuUsage(usedBefore)
  return { seconds, microseconds: used.user + used.system }
}

process.on('message', (order: BareOrder | BareUpdateOrder) =>
  process.send!('numbers' in order ? update(order) : insert(order)),
)
process.on('disconnect', () => process.exit(0))
