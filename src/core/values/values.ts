// From the values that a client sends to the values that are stored. Contract 1 §2.1, 2 §3.
import type { Attribute } from '../model/rules/attributes.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { MAX_JSON_DEPTH } from '../datatypes/json.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { findById } from '../../kernel/found-by-id.ts'
import { LostNumber } from '../../kernel/json/lost-numbers.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { PatternWork } from './patterns.ts'
import { FaultList, type FaultSink, type FieldFault } from './value-fault.ts'
import { scopedValues, type Values } from '../records/rules/record.ts'
import { type Scope, type ScopedValue, scopeKey } from '../scopes/scope.ts'
import { canonicalJson, isNestedDeeper, isSameValue } from '../../kernel/text.ts'

/**
 * Checks a map of alias to scoped values against the schema. Attributes without a value are kept as empty arrays, so that
 * an update can tell "clear it" from "leave it".
 * @param stored the values that the record holds already: sent back unchanged, they are accepted even if today's rules
 *   refuse them (contract 3 §9.3)
 * @throws VALIDATION_ERROR naming the attribute and the scope, if it has one
 */
export function readValues(input: unknown, schema: Schema, model: Model, stored?: () => Values): Values {
  return readEach(input, schema, model, { stored })
}

/** The same for a change by scope: null as a value is kept, and removes the stored value. */
export function readPatch(input: unknown, schema: Schema, model: Model, stored: () => Values): Values {
  return readEach(input, schema, model, { stored, keepsNull: true })
}

interface ReadOptions {
  /** As in `readValues`. */
  readonly stored?: (() => Values) | undefined
  /** The work that patterns may still do in this write. */
  readonly work?: PatternWork
  /** Whether null is given as a value, and not as none. */
  readonly keepsNull?: boolean
  /** Takes each fault; values at fault are left out. Without a sink, faults are thrown together. */
  readonly faults?: FaultSink
  /** The message of a fault of the value in this scope, where its field has another name than in JSON. */
  readonly describe?: (alias: string, scope: Scope, problem: string) => string
}

/** `readValues`, or with `keepsNull` `readPatch`. @throws VALIDATION_ERROR for anything but a map, and for faults without a sink */
export function readEach(input: unknown, schema: Schema, model: Model, options: ReadOptions): Values {
  if (!isPlainObject(input)) throw invalid('values must be an object of attribute alias to an array of scoped values')
  const own = options.faults === undefined ? new FaultList() : undefined
  const faults = options.faults ?? own!
  const reading = { ...options, model, faults, work: options.work ?? new PatternWork(), fieldOf: fieldOfValues }
  const read: [string, readonly ScopedValue[]][] = []
  for (const alias of Object.keys(input)) {
    if (faults.isFull) break
    const attribute = schema.attribute(alias)
    if (attribute === undefined) {
      const attributeAlias = shorten(alias, 64)
      const message = `values.${attributeAlias} names an attribute that the schema '${schema.id}' does not define`
      faults.add({ attributeAlias, scope: {}, code: 'type', message })
      continue
    }
    read.push([alias, readListed(input[alias], attribute, reading)])
  }
  own?.assertNone()
  return Object.fromEntries(read)
}

const fieldOfValues = (alias: string): string => `values.${alias}`

/** The same for one attribute; `field` begins the messages. @throws VALIDATION_ERROR */
export function readScopedValues(
  input: unknown,
  attribute: Attribute,
  model: Model,
  field: string,
  stored: () => Values,
): readonly ScopedValue[] {
  const faults = new FaultList()
  const reading = { model, faults, stored, work: new PatternWork(), fieldOf: () => field }
  const values = readListed(input, attribute, reading)
  faults.assertNone()
  return values
}

interface Reading extends ReadOptions {
  readonly model: Model
  readonly faults: FaultSink
  readonly work: PatternWork
  /** The field with the values of the attribute, for messages only: most values have no fault. */
  readonly fieldOf: (alias: string) => string
}

function readListed(input: unknown, attribute: Attribute, reading: Reading): readonly ScopedValue[] {
  const { stored, work, keepsNull = false, faults, describe } = reading
  if (!Array.isArray(input)) {
    addFault(reading, attribute, ' must be an array of { scope, value }')
    return []
  }
  const values: ScopedValue[] = []
  const scopes = input.length > 1 ? new Set<string>() : undefined
  const dataType = dataTypeOf(attribute)
  let known: ReadonlyMap<string, unknown> | undefined
  for (let index = 0; index < input.length && !faults.isFull; index += 1) {
    const item = readItem(input[index], attribute, reading, { index, scopes })
    if (item === undefined) continue
    const { scope } = item
    const value = dataType.read(item.value)
    if (value === null) {
      if (keepsNull) values.push({ scope, value })
      continue
    }
    const fault = dataType.findFault(value, attribute, work)
    if (fault !== undefined) {
      known ??= valuesByScope(stored === undefined ? [] : scopedValues(stored(), attribute.alias))
      if (!isStored(value, scope, known)) {
        const message = describe?.(attribute.alias, scope, fault.problem)
        addFault(reading, attribute, `[${index}].value ${fault.problem}`, { code: fault.code, scope, message })
        continue
      }
    }
    values.push({ scope, value: dataType.withoutUnknownFields(value) })
  }
  return values
}

/** @param problem the rest of the message, behind the name of the field */
function addFault(
  { faults, fieldOf }: Reading,
  { alias }: Attribute,
  problem: string,
  {
    code = 'type',
    scope = {},
    message,
  }: Partial<Pick<FieldFault, 'code' | 'scope'>> & { message?: string | undefined } = {},
): void {
  faults.add({ attributeAlias: alias, scope, code, message: message ?? `${fieldOf(alias)}${problem}` })
}

interface ItemPlace {
  readonly index: number
  /** The scopes of earlier items, where there are several items. */
  readonly scopes: Set<string> | undefined
}

/** Undefined where the form or the scope is at fault. */
function readItem(
  item: unknown,
  attribute: Attribute,
  reading: Reading,
  { index, scopes }: ItemPlace,
): ScopedValue | undefined {
  if (!isPlainObject(item)) {
    addFault(reading, attribute, `[${index}] must be an object { scope, value }`)
    return undefined
  }
  const problem = findScopeProblem(item['scope'], attribute, reading.model)
  if (problem !== undefined) {
    addFault(reading, attribute, `[${index}].scope${problem}`, { code: 'scope' })
    return undefined
  }
  const scope = item['scope'] as Scope
  if (scopes !== undefined) {
    const key = scopeKey(scope)
    if (scopes.has(key)) {
      addFault(reading, attribute, `[${index}].scope ${describeScope(key)} occurs twice`, { code: 'scope', scope })
      return undefined
    }
    scopes.add(key)
  }
  if ('value' in item) return { scope, value: item['value'] }
  addFault(reading, attribute, `[${index}].value is required`, { scope })
  return undefined
}

/** The values by their scopes, in `scopeKey` form. */
export function valuesByScope(scoped: readonly ScopedValue[]): ReadonlyMap<string, unknown> {
  return new Map(scoped.map(({ scope, value }) => [scopeKey(scope), value]))
}

function isStored(value: unknown, scope: Scope, known: ReadonlyMap<string, unknown>): boolean {
  const key = scopeKey(scope)
  if (!known.has(key) || isNestedDeeper(value, MAX_JSON_DEPTH)) return false
  return isSameValue(value, known.get(key))
}

/** @throws VALIDATION_ERROR beginning with `field` */
export function readScope(input: unknown, attribute: Attribute, model: Model, field: string): Scope {
  const problem = findScopeProblem(input, attribute, model)
  if (problem !== undefined) throw invalid(`${field}${problem}`)
  return input as Scope
}

/** The fault of a scope, as the rest of a sentence, or undefined if `input` is a scope of the attribute. */
function findScopeProblem(input: unknown, attribute: Attribute, model: Model): string | undefined {
  if (!isPlainObject(input)) return ' must be an object of dimension ID to segment ID'
  for (const dimensionId of Object.keys(input)) {
    if (!attribute.dimensionIds.includes(dimensionId))
      return ` names '${shorten(dimensionId, 128)}', which is not among the attribute's dimensionIds`
    const segmentId = input[dimensionId]
    const segments = model.dimensions.get(dimensionId)?.segments ?? []
    if (typeof segmentId !== 'string' || findById(segments, segmentId) === undefined)
      return `.${dimensionId} names an unknown segment of the dimension`
  }
  return undefined
}

/** `values` without empty attributes: the stored form. */
export function withoutEmptyAttributes(values: Values): Values {
  if (Object.values(values).every(({ length }) => length > 0)) return values
  return Object.fromEntries(Object.entries(values).filter(([, scoped]) => scoped.length > 0))
}

/** `values` with each attribute of `update` replaced as a whole; an empty array removes it. Contract 1 §4.1 PUT. */
export function replaceValues(values: Values, update: Values): Values {
  return withoutEmptyAttributes({ ...values, ...update })
}

export interface UniqueKey {
  readonly alias: string
  /** `scopeKey` form. */
  readonly scope: string
  /** Canonical JSON of the value. */
  readonly key: string
}

/** The keys that no other record of the schema may have: the non-empty values of its unique attributes. */
export function uniqueKeys(values: Values, schema: Schema): UniqueKey[] {
  return schema.attributes
    .filter((attribute) => attribute.unique && Object.hasOwn(values, attribute.alias))
    .flatMap((attribute) =>
      values[attribute.alias]!.filter(({ value }) => !dataTypeOf(attribute).isEmpty(value)).map(({ scope, value }) => ({
        alias: attribute.alias,
        scope: scopeKey(scope),
        key: canonicalJson(value),
      })),
    )
}

/** The message for a value that another record holds. */
export function describeTaken({ alias, scope }: Pick<UniqueKey, 'alias' | 'scope'>): string {
  return `values.${alias} must be unique: another record holds this value in scope ${describeScope(scope)}`
}

export interface RecordReference {
  readonly alias: string
  /** `scopeKey` form. */
  readonly scope: string
  readonly recordId: string
}

/** The records that the reference attributes in `values` name, in each scope. */
export function recordReferences(values: Values, schema: Schema): RecordReference[] {
  return schema.naming
    .filter((attribute) => dataTypeOf(attribute).records !== undefined && Object.hasOwn(values, attribute.alias))
    .flatMap((attribute) =>
      values[attribute.alias]!.flatMap(({ scope, value }) => {
        const { alias } = attribute
        const key = scopeKey(scope)
        const named = dataTypeOf(attribute).records!.named(value)
        return named.map((recordId) => ({ alias, scope: key, recordId }))
      }),
    )
}

/** The records and files that values name, as the index of references has them. */
export function valueLinks(values: Values, schema: Schema): RecordReference[] {
  const references = recordReferences(values, schema)
  const naming = schema.naming.filter(
    (attribute) => dataTypeOf(attribute).files !== undefined && Object.hasOwn(values, attribute.alias),
  )
  if (naming.length === 0) return references
  const files = naming.flatMap((attribute) =>
    values[attribute.alias]!.flatMap(({ scope, value }) =>
      dataTypeOf(attribute).files!(value).map((sha256) => ({
        alias: attribute.alias,
        scope: scopeKey(scope),
        recordId: targetOfFile(sha256),
      })),
    ),
  )
  return [...references, ...files]
}

/** How the index of references names a file: no record has such an ID. */
export function targetOfFile(sha256: string): string {
  return `#${sha256}`
}

/** The inverse of `targetOfFile`; undefined: the target is a record. */
export function fileOfTarget(target: string): string | undefined {
  return target.startsWith('#') ? target.slice(1) : undefined
}

/** For messages: `{language=de}`. */
export function describeScope(key: string): string {
  return `{${key}}`
}

export function isPlainObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input) && !(input instanceof LostNumber)
}
