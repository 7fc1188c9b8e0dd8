// Selects the records of `pimlet export`. Contract 3 §8.
import { parseScopeKey, type Scope } from '../core/scopes/scope.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import type { CommandFlag, Given } from './command.ts'
import { assertKnown, assertKnownSchema, assertKnownScope, idsOf, readVisibleModel } from './assert-known.ts'
import { readQuery } from './query-flag.ts'

export const SELECTION_FLAGS: readonly CommandFlag[] = [
  { name: 'query', description: 'ID of a saved query, or a search as JSON: its matches' },
  { name: 'schema', description: 'ID of a schema: only its records' },
  { name: 'state', description: 'ID of a lifecycle state: only records in it' },
  { name: 'catalog', description: 'ID of a catalog: only records in it' },
]

/** Runs before anything is written. @throws UsageError, StartError */
export async function assertKnownSelection(connection: Connection, given: Given): Promise<void> {
  if (['schema', 'state', 'catalog', 'scope'].every((flag) => given.text(flag) === undefined)) return
  const model = await readVisibleModel(connection)
  if (model === undefined) return
  assertKnownSchema(model, '--schema', given.text('schema'))
  assertKnown(idsOf(model.workflows.flatMap(({ states }) => states)), '--state', 'state', given.text('state'))
  assertKnown(idsOf(model.catalogs), '--catalog', 'catalog', given.text('catalog'))
  assertKnownScope(model, '--scope', scopeOf(given) ?? {})
}

/** Returns the body of a search. @throws UsageError, StartError */
export async function searchOf(connection: Connection, given: Given): Promise<Record<string, unknown>> {
  const [query, schemaId] = [given.text('query'), given.text('schema')]
  const [state, catalog] = [given.text('state'), given.text('catalog')]
  const fields = [
    ...(state === undefined ? [] : [{ field: 'lifecycleStateId', operator: 'equals', value: state }]),
    ...(catalog === undefined ? [] : [{ field: 'catalogId', operator: 'equals', value: catalog }]),
  ]
  const everything: Record<string, unknown> = { criteria: [], criteriaOperator: 'and' }
  const asked = query === undefined ? everything : ((await readQuery(connection, query)) as Record<string, unknown>)
  const { criteria, criteriaOperator } = asked
  const within = fields.length === 0 ? { criteria, criteriaOperator } : grouped(fields, criteria, criteriaOperator)
  return { ...asked, ...within, ...(schemaId === undefined ? {} : { schemaId }) }
}

function grouped(fields: readonly object[], criteria: unknown, criteriaOperator: unknown) {
  const isAsked = Array.isArray(criteria) && criteria.length > 0
  return { criteria: [...fields, ...(isAsked ? [{ criteria, criteriaOperator }] : [])], criteriaOperator: 'and' }
}

/** Returns the scope of `--scope language=de;market=eu`. @throws UsageError */
export function scopeOf(given: Given): Scope | undefined {
  const text = given.text('scope')
  if (text === undefined) return undefined
  if (text.split(';').every((pair) => /^[^=]+=[^=]+$/.test(pair))) return parseScopeKey(text)
  throw new UsageError(`--scope '${text}' is not of the form language=de;market=eu`)
}
