// Finds the record that a line of an import means by a unique value. Contract 3 §4, 3 §10.
import type { CsvCell } from '../core/csv/csv-cell.ts'
import { readRowValues } from '../core/csv/csv-row.ts'
import type { CsvHeader } from '../core/csv/csv-header.ts'
import { assertCanRead, type Role } from '../core/accounts/rules/permissions.ts'
import { dataTypeOf } from '../core/datatypes/data-types.ts'
import { invalid } from '../kernel/errors.ts'
import { assertMatchBy } from './rules/import-profile.ts'
import type { RecordLine } from './rules/import-outcome.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { type ScopedValue, scopeKey } from '../core/scopes/scope.ts'
import { canonicalJson } from '../kernel/text.ts'
import { FaultList } from '../core/values/value-fault.ts'
import { isPlainObject, type UniqueKey } from '../core/values/values.ts'
import type { RecordReads, StoredRecord } from '../store/record-port.ts'
import { columnsFor } from './line-values.ts'
import { own } from '../kernel/own.ts'

interface MatchingReads {
  model(): Promise<Model>
  readonly records: Pick<RecordReads, 'get' | 'holderOf'>
}

export interface Matching {
  readonly role: Role
  readonly schema: Schema
  readonly matchBy: string | undefined
  readonly header: CsvHeader | undefined
}

interface Matched {
  readonly stored: StoredRecord | undefined
  /** The value of the line, for messages: a text as it is, other values as JSON. */
  readonly asked: string
}

/**
 * Resolves to the record that holds the line's value of the attribute `matchBy`.
 * @throws VALIDATION_ERROR where the line has none, PERMISSION_DENIED for an attribute that the role may not read
 */
export async function findByValue(tx: MatchingReads, matching: Matching, line: RecordLine): Promise<Matched> {
  const { role, schema, matchBy } = matching
  assertCanRead(role, schema.id, matchBy!)
  const { keys, asked } = matchKeysOf(await tx.model(), matching, line)
  for (const key of keys) {
    const id = await tx.records.holderOf(schema.id, key)
    if (id !== undefined) return { stored: await tx.records.get(id), asked }
  }
  return { stored: undefined, asked }
}

/** Returns the unique values that the line has of the attribute. @throws VALIDATION_ERROR where the line has none */
export function matchKeysOf(
  model: Model,
  { schema, matchBy, header }: Omit<Matching, 'role'>,
  line: RecordLine,
): { readonly keys: readonly UniqueKey[]; readonly asked: string } {
  const attribute = assertMatchBy(schema, matchBy!)
  const { alias } = attribute
  const scoped = line.kind === 'body' ? valuesIn(line.body, alias) : cellsOf(model, schema, header!, line.cells, alias)
  const dataType = dataTypeOf(attribute)
  const filled = scoped.filter(({ value }) => value !== null && value !== undefined && value !== '')
  if (filled.length === 0) throw invalid(`matchBy: the line has no value of '${alias}', which identifies its record`)
  const [{ value: first }] = filled as [ScopedValue]
  const asked = typeof first === 'string' ? first : canonicalJson(first)
  const keys = filled.map(({ scope, value }) => ({
    alias,
    scope: scopeKey(scope),
    key: canonicalJson(dataType.read(value)),
  }))
  return { keys, asked }
}

/**
 * Resolves to the ID of the record that has the given value of the attribute. Without such a record, the given text is
 * the ID.
 * @throws PERMISSION_DENIED
 */
export async function findParent(
  tx: MatchingReads,
  { role, schema, matchBy, header }: Matching,
  given: string,
): Promise<string> {
  if (matchBy === undefined) return given
  const columns = header?.values.filter(({ alias }) => alias === matchBy).map(({ key }) => key) ?? []
  return (await findHolder(tx, { role, schema, matchBy, scopes: [...columns, ''] }, given)) ?? given
}

/**
 * Resolves to the ID of the record that has the value, given as a text, in one of the scopes.
 * @throws PERMISSION_DENIED
 */
export async function findHolder(
  tx: { readonly records: Pick<RecordReads, 'holderOf'> },
  { role, schema, matchBy, scopes }: Pick<Matching, 'role' | 'schema'> & HolderQuestion,
  given: string,
): Promise<string | undefined> {
  const attribute = assertMatchBy(schema, matchBy)
  assertCanRead(role, schema.id, matchBy)
  const reading = dataTypeOf(attribute).fromCell(given, '')
  if (reading.problem !== undefined) return undefined
  for (const scope of new Set(scopes)) {
    const id = await tx.records.holderOf(schema.id, { alias: matchBy, scope, key: canonicalJson(reading.value) })
    if (id !== undefined) return id
  }
  return undefined
}

interface HolderQuestion {
  readonly matchBy: string
  /** In the form of `scopeKey`. */
  readonly scopes: Iterable<string>
}

function valuesIn(body: unknown, alias: string): ScopedValue[] {
  const values = isPlainObject(body) ? body['values'] : undefined
  const scoped = isPlainObject(values) && Object.hasOwn(values, alias) ? values[alias] : undefined
  if (!Array.isArray(scoped)) return []
  return scoped.filter((item): item is ScopedValue => isPlainObject(item) && isPlainObject(item['scope']))
}

function cellsOf(
  model: Model,
  schema: Schema,
  header: CsvHeader,
  cells: readonly CsvCell[],
  alias: string,
): ScopedValue[] {
  const columns = columnsFor(schema, header, model)
  const attributes = columns.attributes.filter(({ attribute }) => attribute.alias === alias)
  const faults = new FaultList()
  const values = readRowValues(cells, { ...columns, attributes, foreign: [] }, faults)
  faults.assertNone()
  return own(values, alias) ?? []
}
