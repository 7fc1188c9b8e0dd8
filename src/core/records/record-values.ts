// Changes a part of a record's values: of one attribute, or by scope. Contract 1 §4.1 (PATCH), 3 §2; order of checks as
// in `records.ts`.
import { readableValues } from '../accounts/rules/permissions.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { assertAsExpected, mergePatch, readExpectations, type ScopedPatch } from './rules/scoped-patch.ts'
import { readPatch, readScopedValues } from '../values/values.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { formerFiles } from './naming-files.ts'
import { findModelOf, findRecord, readableRecord } from './readable-records.ts'
import { updateValues, writeValues } from './record-writing.ts'
import { parseValues } from './rules/record.ts'

export function createRecordValuesService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /**
     * Replaces the scoped values of one attribute. Resolves to the record with the values of this attribute alone; an
     * empty array: it has no value now.
     * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT
     */
    replace: (caller: Caller, id: string, alias: string, input: unknown, ifMatch: IfMatch): Promise<StoredRecord> =>
      writeValues(store, { [alias]: input }, async (tx) => {
        const record = await findRecord(tx, id)
        assertMatches(ifMatch, record.version)
        const { model, schema } = await findModelOf(tx, record)
        const attribute = schema.attribute(alias)
        if (attribute === undefined)
          throw invalid(`'${shorten(alias, 64)}' names an attribute that the schema '${schema.id}' does not define`)
        // Only readable values count as stored, so that sending values back reveals no hidden value.
        const stored = () => readableValues(caller.role, schema.id, parseValues(record))
        const update = { [alias]: readScopedValues(input, attribute, model, `${alias}: scopedValues`, stored) }
        const formerly = () => formerFiles(tx, record, { role: caller.role, schema })
        const updated = await updateValues(tx, system, caller, { record, schema, update, formerly })
        return { ...updated, valuesJson: JSON.stringify(update) }
      }),

    /**
     * Replaces each scoped value of `values` in its own scope; null removes the value. All other values stay.
     * @throws NOT_FOUND, VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT
     * @throws PRECONDITION_FAILED, also if the stored values differ from `expect`
     */
    patch: (caller: Caller, id: string, input: ScopedPatch, ifMatch: IfMatch): Promise<StoredRecord> =>
      writeValues(store, input.values, (tx) => patchRecord(tx, system, caller, { ...input, id, ifMatch })),
  }
}

/** Throws as `patch` does. */
export async function patchRecord(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, values, expect, ifMatch }: ScopedPatch & { readonly id: string; readonly ifMatch: IfMatch },
): Promise<StoredRecord> {
  const record = await findRecord(tx, id)
  assertMatches(ifMatch, record.version)
  const { model, schema } = await findModelOf(tx, record)
  const stored = parseValues(record)
  const patch = readPatch(values, schema, model, () => readableValues(caller.role, schema.id, stored))
  await tx.pause?.()
  assertAsExpected(stored, readExpectations(expect, schema, model, caller.role), schema)
  const update = mergePatch(stored, patch)
  const formerly = () => formerFiles(tx, record, { role: caller.role, schema })
  return readableRecord(caller.role, await updateValues(tx, system, caller, { record, schema, update, formerly }))
}
