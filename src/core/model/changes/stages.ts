// The stages of a model change that records follow: moving to the next stage, and ending with success or failure.
import { type ModelChange, type ModelChangeStage, notesOfBoth, type SchemaChange } from '../rules/model-change.ts'
import { Schema } from '../rules/model.ts'
import { aliasesToNote, freedAliases } from '../rules/schema-changes.ts'
import { valueLinks, uniqueKeys } from '../../values/values.ts'
import type { Store, Transaction } from '../../../store/port.ts'
import type { StoredRecord } from '../../../store/record-port.ts'
import type { Walk } from './schema-walk.ts'
import { parseValues } from '../../records/rules/record.ts'

/** The stage begins with the first record. */
export async function enterStage<Change extends ModelChange>(
  tx: Transaction,
  change: Change,
  stage: ModelChangeStage,
): Promise<Change> {
  const entered = { ...change, stage }
  await tx.modelChanges.update(entered)
  await tx.modelChanges.advance(change.id, 0)
  return entered
}

/**
 * Ends a change at any stage. A change before its switch is undone, except for dropped values. A change after its
 * switch is completed. If the change has already ended, nothing is done. A change `ofAnother` server is ended only if
 * it was abandoned.
 */
export async function settle(store: Store, id: string, walk: Walk, { ofAnother = false } = {}): Promise<void> {
  // The start ends interrupted changes before any later write, so nothing may be awaited before this transaction is
  // queued.
  if (!ofAnother && (await store.read.modelChanges.get(id)) === undefined) return
  const change = await store.transaction(async (tx) =>
    ofAnother && !(await tx.modelChanges.adopt(id)) ? undefined : beginEnd(tx, id),
  )
  if (change === undefined) return
  await releaseKeys(change, walk)
  await store.transaction((tx) => tx.modelChanges.delete(id))
}

/** Resolves to the change if it has unique values or references to release. */
async function beginEnd(tx: Transaction, id: string): Promise<SchemaChange | undefined> {
  const change = await tx.modelChanges.get(id)
  if (change === undefined) return undefined
  if (change.kind === 'dimension' || releasedAliases(change).length === 0) {
    await tx.modelChanges.delete(id)
    return undefined
  }
  return change.stage === 'undo' || change.stage === 'clear' ? change : enterStage(tx, change, 'undo')
}

/** Returns the attributes whose unique values and references were stored for the dropped definition. */
function releasedAliases({ before, after, stage }: SchemaChange): string[] {
  const [was, willBe] = [new Schema(before), new Schema(after)]
  return stage === 'clear' ? freedAliases(was, willBe) : aliasesToNote(was, willBe)
}

async function releaseKeys(change: SchemaChange, walk: Walk): Promise<void> {
  const [before, after] = [new Schema(change.before), new Schema(change.after)]
  const stays = change.stage === 'clear' ? after : before
  const aliases = releasedAliases(change)
  await walk.work(change, async (tx, record) => {
    if (!mayHold(record, aliases)) return false
    const values = parseValues(record)
    await tx.records.setUniqueKeys(record, notesOfBoth(uniqueKeys, values, before, after), uniqueKeys(values, stays))
    await tx.records.setReferences(record, notesOfBoth(valueLinks, values, before, after), valueLinks(values, stays))
    return true
  })
}

/** Returns whether the text of the record mentions one of the attributes. A wrong true only costs time. */
export function mayHold({ valuesJson }: StoredRecord, aliases: readonly string[]): boolean {
  // Values are stored by JSON.stringify, without spaces.
  return aliases.some((alias) => valuesJson.includes(`"${alias}":[`))
}
