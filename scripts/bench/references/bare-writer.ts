// A process that inserts records by bare SQL when its parent says so, and answers how long that took.
import { openCatalogue } from '../catalogue.ts'
import { BareInserts, bareModel, openBareFile, type Part, prepareRecord } from './bare-rows.ts'

export interface BareOrder {
  readonly from: number
  readonly count: number
  readonly batch: number
  readonly parts: readonly Part[]
}

export interface BareResult {
  readonly seconds: number
  /** Of processor time. */
  readonly microseconds: number
  readonly valueRows: number
}

const [, , file = '', durable, checkpointPages = '1000'] = process.argv
const catalogue = openCatalogue()
const model = bareModel(catalogue)
const db = openBareFile(file, { durable: durable === 'durable' })
db.pragma(`wal_autocheckpoint = ${Number(checkpointPages)}`)
const inserts = new BareInserts(db)
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')

function run({ from, count, batch, parts }: BareOrder): BareResult {
  const records = Array.from({ length: count }, (_, index) => prepareRecord(catalogue, model, from + index))
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  for (let at = 0; at < count; at += batch) {
    begin.run()
    for (let index = at; index < Math.min(count, at + batch); index += 1)
      inserts.insert(records[index]!, from + index, parts)
    commit.run()
  }
  const seconds = (performance.now() - startedAt) / 1000
  const used = process.cpuUsage(usedBefore)
  const valueRows = records.reduce((sum, record) => sum + record.values.length, 0)
  return { seconds, microseconds: used.user + used.system, valueRows }
}

process.on('message', (order: BareOrder) => process.send!(run(order)))
process.on('disconnect', () => process.exit(0))
