// Deltas over random histories, with runs that are killed at any point: applied to the first full file, whatever arrived gives the
// present full file. Contract 3 §5, 3 §10.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { ExportJob } from '../../src/exports/rules/export-job.ts'
import { foundBy, renderExport } from '../../src/exports/rendering/rendering.ts'
import { beginFeed, endFeed } from '../../src/exports/engine/feed-runs.ts'
import { storeMembers } from '../../src/exports/rendering/feed-members.ts'
import { selectionOf } from '../../src/exports/rendering/job-rendering.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import type { Store, Transaction } from '../../src/store/port.ts'
import { openFoundSnapshot } from '../../src/workspace/storages.ts'
import { NO_ADDRESSES, openExportStore } from '../helpers/export-store.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { appendEntry, entryOf, insertRecord, jobOf, recordOf } from '../store/contract/fixtures.ts'

const never = new AbortController().signal
const job: ExportJob = jobOf('job-1', {
  format: 'jsonl',
  delta: {},
  selection: { criteria: [{ attributeAlias: 'color', operator: 'equals', value: 'red' }], criteriaOperator: 'and' },
})

const DEATHS = ['none', 'begun', 'rendered', 'some members', 'members', 'delivered', 'delivered'] as const
type Death = (typeof DEATHS)[number]

type Step =
  | { readonly what: 'write'; readonly id: string; readonly color: string; readonly parent: string | null }
  | { readonly what: 'delete'; readonly id: string }
  | { readonly what: 'run'; readonly death: Death }

const IDS = ['r-1', 'r-2', 'r-3']
const id = fc.constantFrom(...IDS)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('write' as const),
      id,
      color: fc.constantFrom('red', 'blue'),
      parent: fc.option(id, { freq: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete' as const), id }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('run' as const), death: fc.constantFrom(...DEATHS) }) },
)

const valuesOf = (color: string) => JSON.stringify({ color: [{ scope: {}, value: color }] })

async function write(
  tx: Transaction,
  { id: recordId, color, parent }: Extract<Step, { what: 'write' }>,
): Promise<void> {
  const before = await tx.records.get(recordId)
  if (before !== undefined) {
    const version = appendEntry(tx, entryOf(recordId, { action: 'update' }), 'sch-all')
    await tx.records.update(before, { ...before, version, valuesJson: valuesOf(color) })
    return
  }
  const found = parent === null || parent === recordId ? undefined : await tx.records.get(parent)
  const isVariant = found?.parentId === null
  const record = {
    schemaId: 'sch-all',
    parentId: isVariant ? parent : null,
    valuesJson: isVariant ? '{}' : valuesOf(color),
  }
  await insertRecord(tx, recordOf(recordId, record))
}

async function remove(tx: Transaction, recordId: string): Promise<void> {
  const record = await tx.records.get(recordId)
  if (record === undefined) return
  for (const other of IDS) if ((await tx.records.get(other))?.parentId === recordId) await remove(tx, other)
  appendEntry(tx, entryOf(recordId, { action: 'delete' }), 'sch-all')
  await tx.records.delete(recordId)
}

/** What has the files. */
class Shop {
  readonly records = new Map<string, string>()

  take(text: string, kind: 'full' | 'delta'): void {
    if (kind === 'full') this.records.clear()
    for (const line of text.split('\n').slice(0, -1)) {
      const row = JSON.parse(line) as { id: string; deleted?: boolean }
      if (row.deleted === true) this.records.delete(row.id)
      else this.records.set(row.id, line)
    }
  }
}

/** One run, which may die on its way. */
async function run(store: Store, shop: Shop, death: Death): Promise<void> {
  const at = new Date()
  const feed = (await store.transaction((tx) => beginFeed(tx, job, at)))!
  if (death === 'begun') return
  const directory = makeTempDirectory()
  const [spoolFile, memberFile] = [path.join(directory, 'run'), path.join(directory, 'members')]
  writeFileSync(spoolFile, '')
  const selection = await selectionOf(job, BUILT_IN_ROLES[0]!, { read: store.read, addresses: NO_ADDRESSES })
  const since = feed.kind === 'full' ? undefined : feed.state
  const request = { ...selection, compress: false, spoolFile, feed: { since, memberFile } }
  const snapshot = await openFoundSnapshot(store.location, selection.query!, Infinity)
  const rendered = await renderExport(await foundBy(snapshot, selection, request.feed), request, { signal: never })
  await snapshot.close()
  if (death === 'rendered') return
  if (death === 'some members') {
    const [first = ''] = readFileSync(memberFile, 'utf8').split(/(?<=\n)/)
    writeFileSync(memberFile, first)
  }
  await storeMembers(store, feed.state, memberFile, never)
  if (death === 'some members' || death === 'members') return
  shop.take(readFileSync(spoolFile, 'utf8'), feed.kind)
  if (death === 'delivered') return
  const told = { isFull: feed.kind === 'full', recordCount: rendered.recordCount, at }
  await store.transaction((tx) => endFeed(tx, job.id, told, { begun: feed, result: rendered.feed! }))
}

async function fullFile(store: Store): Promise<Map<string, string>> {
  const selection = await selectionOf(job, BUILT_IN_ROLES[0]!, { read: store.read, addresses: NO_ADDRESSES })
  const spoolFile = path.join(makeTempDirectory(), 'full')
  writeFileSync(spoolFile, '')
  const snapshot = await openFoundSnapshot(store.location, selection.query!, Infinity)
  await renderExport(
    await foundBy(snapshot, selection),
    { ...selection, compress: false, spoolFile },
    { signal: never },
  )
  await snapshot.close()
  const shop = new Shop()
  shop.take(readFileSync(spoolFile, 'utf8'), 'full')
  return shop.records
}

const sorted = (records: ReadonlyMap<string, string>) => [...records].sort(([one], [other]) => (one < other ? -1 : 1))

describe('The files of a job with delta', () => {
  it('give what a full file has, whatever happened, and wherever runs were killed', async (test) => {
    const { store } = await openExportStore(test)
    const everybody = async (work: (tx: Transaction) => Promise<void>) => store.transaction(work)
    const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
      await everybody(async (tx) => {
        for (const recordId of IDS) await remove(tx, recordId)
        if ((await tx.exportJobs.get(job.id)) !== undefined) await tx.exportJobs.delete(job.id)
        await tx.exportJobs.insert(job)
      })
      const shop = new Shop()
      await run(store, shop, 'none')
      for (const one of steps) {
        if (one.what === 'write') await everybody((tx) => write(tx, one))
        else if (one.what === 'delete') await everybody((tx) => remove(tx, one.id))
        else await run(store, shop, one.death)
      }
      await run(store, shop, 'none')
      assert.deepEqual(sorted(shop.records), sorted(await fullFile(store)))
    })
    await fc.assert(property, { numRuns: 60 })
  })
})
