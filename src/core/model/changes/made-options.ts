// Options that an import adds to a schema, and that its undo removes if no record holds them. Contract 3 §4.
import type { ChangeOrigin } from '../../records/rules/changes.ts'
import { PimletError } from '../../../kernel/errors.ts'
import type { System } from '../../../kernel/machine/system.ts'
import type { Store, Transaction } from '../../../store/port.ts'
import type { Caller } from '../../accounts/caller.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { parseValues, scopedValues } from '../../records/rules/record.ts'
import { type Attribute, MAX_OPTIONS } from '../rules/attributes.ts'
import { findGuardFault } from '../rules/guards.ts'
import { Schema, type SchemaDefinition } from '../rules/model.ts'
import { noteModelChange } from '../model-entries.ts'
import { assertSchemaRests } from './interference.ts'
import type { ChangingDeps } from './model-changes.ts'
import { replaceDefinition } from './schema-replacement.ts'
import { mayHold } from './stages.ts'
import { Walk } from './schema-walk.ts'

type Option = Pick<Attribute['options'][number], 'id' | 'name'>

interface MadeBy {
  readonly schemaId: string
  readonly origin: ChangeOrigin
}

/**
 * Adds the options that the schema lacks. Resolves to these options by alias, without deleted attributes.
 * @throws CONFLICT while the schema is being changed
 * @throws LIMIT_EXCEEDED naming the attribute
 */
export async function addOptions(
  tx: Transaction,
  system: System,
  caller: Caller,
  { schemaId, origin, options }: MadeBy & { readonly options: ReadonlyMap<string, readonly Option[]> },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const before = await tx.schemas.get(schemaId)
  if (before === undefined) return new Map()
  const added = new Map<string, readonly string[]>()
  const attributes = before.attributes.map((attribute) => {
    const present = new Set(attribute.options.map(({ id }) => id))
    const lacking = (options.get(attribute.alias) ?? []).filter(({ id }) => !present.has(id))
    if (lacking.length === 0) return attribute
    if (present.size + lacking.length > MAX_OPTIONS)
      throw new PimletError(
        'LIMIT_EXCEEDED',
        `The attribute '${attribute.alias}' would have more than ${MAX_OPTIONS} options`,
      )
    added.set(
      attribute.alias,
      lacking.map(({ id }) => id),
    )
    return { ...attribute, options: [...attribute.options, ...lacking] }
  })
  if (added.size === 0) return added
  const after: SchemaDefinition = { ...before, attributes, updatedAt: system.now().toISOString() }
  await assertSchemaRests(tx, schemaId, after)
  await tx.schemas.update(after)
  noteModelChange(tx, system, caller, { entityType: 'schema', before, after, origin })
  return added
}

/**
 * Removes options, given by alias, that no record holds and no guard names.
 * @throws CONFLICT while the schema is being changed, and if a record gets such an option meanwhile
 * @throws the signal's reason
 */
export async function removeUnusedOptions(
  deps: ChangingDeps,
  caller: Caller,
  { schemaId, origin, options }: MadeBy & { readonly options: ReadonlyMap<string, readonly string[]> },
  signal: AbortSignal,
): Promise<void> {
  const schema = await deps.store.read.schemas.get(schemaId)
  if (schema === undefined) return
  const unused = await findUnused(deps.store, schema, options, signal)
  if ([...unused.values()].every(({ size }) => size === 0)) return
  await replaceDefinition(deps, caller, { id: schemaId, dropValues: false, origin }, async (tx) => {
    const before = (await tx.schemas.get(schemaId)) ?? schema
    const model = await tx.model()
    let after = before
    for (const attribute of before.attributes) {
      const gone = unused.get(attribute.alias)
      if (gone === undefined) continue
      const kept = { ...attribute, options: attribute.options.filter(({ id }) => !gone.has(id)) }
      const attributes = after.attributes.map((one) => (one.alias === attribute.alias ? kept : one))
      const candidate = { ...after, attributes }
      if (findGuardFault(new Schema(candidate), model) === undefined) after = candidate
    }
    return { before, after: { ...after, updatedAt: deps.system.now().toISOString() } }
  })
}

/** Returns the options that no record holds now. */
async function findUnused(
  store: Store,
  schema: SchemaDefinition,
  options: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Set<string>>> {
  const unused = new Map<string, Set<string>>()
  const attributes = schema.attributes.filter(({ alias }) => options.has(alias))
  for (const { alias } of attributes) unused.set(alias, new Set(options.get(alias)))
  const aliases = attributes.map(({ alias }) => alias)
  await new Walk(store, () => signal.throwIfAborted()).look(schema.id, (record) => {
    if (!mayHold(record, aliases)) return
    const values = parseValues(record)
    for (const attribute of attributes)
      for (const { value } of scopedValues(values, attribute.alias))
        for (const id of dataTypeOf(attribute).choices?.named(value) ?? []) unused.get(attribute.alias)!.delete(id)
  })
  return unused
}
