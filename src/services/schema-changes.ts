// What replacing a schema does to its records: values that fit no longer prevent it or are dropped, and what becomes
// unique is compared. Decisions §3. All of it runs in the transaction of the replacement and reads records in batches.
import { diffValues } from '../domain/changes.ts'
import { conflict } from '../domain/errors.ts'
import type { Schema } from '../domain/model.ts'
import { assertCanWrite } from '../domain/permissions.ts'
import { scopedValues, type Values } from '../domain/record.ts'
import { aliasesToCompare, endangeredAliases, freedAliases, isIndexedAnew, misfits } from '../domain/schema-changes.ts'
import { replaceValues, uniqueKeys } from '../domain/values.ts'
import type { Transaction } from '../storage/port.ts'
import type { StoredRecord } from '../storage/record-port.ts'
import type { System } from '../system.ts'
import type { Caller } from './caller.ts'
import { parseValues } from './readable-records.ts'
import { appendAudit } from './record-writing.ts'

const BATCH = 200

/**
 * Makes the records of a schema fit the definition that is about to replace it.
 * @throws CONFLICT naming the attribute whose values do not fit (unless `dropValues`) or are not unique;
 * PERMISSION_DENIED for values to drop that the caller may not write
 */
export async function fitRecords(
  tx: Transaction,
  system: System,
  caller: Caller,
  before: Schema,
  after: Schema,
  dropValues: boolean,
): Promise<void> {
  for (const alias of freedAliases(before, after)) await tx.records.clearUniqueKeys(before.id, alias)
  const endangered = endangeredAliases(before, after)
  for (const alias of endangered) {
    if (dropValues) await dropMisfits(tx, system, caller, after, alias, endangered)
    else await assertValuesFit(tx, after, alias)
  }
  for (const alias of aliasesToCompare(before, after)) await compareValues(tx, after, alias)
  if (isIndexedAnew(before, after)) await tx.records.reindex(before.id)
}

async function assertValuesFit(tx: Transaction, after: Schema, alias: string): Promise<void> {
  await forEachHolding(tx, after.id, alias, async (record) => {
    if (misfits(parseValues(record), alias, after).length === 0) return true
    const why = after.attribute(alias) === undefined ? 'would be lost' : 'would no longer fit'
    throw conflict(
      `attribute '${alias}': values that records hold ${why} (first in '${record.id}'); dropValues=true removes them`,
    )
  })
}

/** Drops in one update per record what does not fit of any attribute in `aliases`. */
async function dropMisfits(
  tx: Transaction,
  system: System,
  caller: Caller,
  after: Schema,
  alias: string,
  aliases: readonly string[],
): Promise<void> {
  await forEachHolding(tx, after.id, alias, async (record) => {
    const stored = parseValues(record)
    const kept = withoutMisfits(stored, aliases, after)
    const changes = diffValues(stored, kept, aliases)
    if (changes.length > 0) {
      assertCanWrite(
        caller.role,
        after.id,
        changes.map((change) => change.attributeAlias),
      )
      const timestamp = system.now().toISOString()
      const what = { recordId: record.id, schemaId: after.id, action: 'update', changes, timestamp } as const
      const version = await appendAudit(tx, system, caller, { ...what, origin: { kind: 'schema' } })
      const valuesJson = JSON.stringify(kept)
      await tx.records.update({ ...record, updatedAt: timestamp, updatedBy: caller.id, version, valuesJson })
      await tx.records.setUniqueKeys(record.id, after.id, uniqueKeys(kept, after))
    }
    return Object.hasOwn(kept, alias)
  })
}

function withoutMisfits(values: Values, aliases: readonly string[], after: Schema): Values {
  const update = aliases.flatMap((alias) => {
    const lost = new Set(misfits(values, alias, after))
    return lost.size === 0 ? [] : [[alias, scopedValues(values, alias).filter((item) => !lost.has(item))] as const]
  })
  return replaceValues(values, Object.fromEntries(update))
}

async function compareValues(tx: Transaction, after: Schema, alias: string): Promise<void> {
  await forEachHolding(tx, after.id, alias, async (record) => {
    await tx.records.setUniqueKeys(record.id, after.id, uniqueKeys(parseValues(record), after))
    return true
  })
}

/** `visit` says whether the record holds the attribute still: one that does not has left the list. */
async function forEachHolding(
  tx: Transaction,
  schemaId: string,
  alias: string,
  visit: (record: StoredRecord) => Promise<boolean>,
): Promise<void> {
  for (let offset = 0; ;) {
    const records = await tx.records.listHolding(schemaId, alias, { offset, limit: BATCH })
    for (const record of records) if (await visit(record)) offset += 1
    if (records.length === 0) return
  }
}
