// The use case of replacing one attribute of a record. Contract 1 §4.1 (PATCH); order of checks as in `records.ts`.
import { invalid, shorten } from '../../domain/errors.ts'
import { readScopedValues } from '../../domain/values/values.ts'
import type { Store } from '../../storage/port.ts'
import type { StoredRecord } from '../../storage/record-port.ts'
import type { System } from '../../machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { assertMatches, type IfMatch } from './precondition.ts'
import { parseValues } from './readable-records.ts'
import { findModelOf, findRecord, updateValues } from './record-writing.ts'

export function createRecordValuesService(deps: { store: Store; system: System }) {
  const { store, system } = deps
  return {
    /**
     * Replaces the scoped values of one attribute. Resolves to the record with the values of that attribute alone: an
     * empty array where it has none now.
     * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_ERROR, PERMISSION_DENIED, CONFLICT
     */
    replace: (caller: Caller, id: string, alias: string, input: unknown, ifMatch: IfMatch): Promise<StoredRecord> =>
      store.transaction(async (tx) => {
        const record = await findRecord(tx, id)
        assertMatches(ifMatch, record.version)
        const { model, schema } = await findModelOf(tx, record)
        const attribute = schema.attribute(alias)
        if (attribute === undefined)
          throw invalid(`'${shorten(alias, 64)}' names an attribute that the schema '${schema.id}' does not define`)
        const stored = () => parseValues(record)
        const update = { [alias]: readScopedValues(input, attribute, model, `${alias}: scopedValues`, { stored }) }
        const updated = await updateValues(tx, system, caller, { record, schema, update })
        return { ...updated, valuesJson: JSON.stringify(update) }
      }),
  }
}

export type RecordValuesService = ReturnType<typeof createRecordValuesService>
