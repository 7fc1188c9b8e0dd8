// Translation of a record: source values beside target values. Pure. T1 to T3.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import { covers, restrictScope, type Scope, scopeKey, segmentOf } from '../../src/core/scopes/scope.ts'
import { cellValue } from '../grid/cell-value.ts'

/** One dimension and the segment to translate from. */
export interface TranslationSource {
  readonly dimensionId: string
  readonly segmentId: string
}

/**
 * Reads the source from the address; undefined: the address names nothing in the model, or exactly the segment of the
 * scope bar.
 */
export function readSource(
  text: string | undefined,
  dimensions: readonly { readonly id: string; readonly segments: readonly { readonly id: string }[] }[],
): TranslationSource | undefined {
  const [dimensionId = '', segmentId = ''] = (text ?? '').split(':')
  const dimension = dimensions.find(({ id }) => id === dimensionId)
  return dimension?.segments.some(({ id }) => id === segmentId) === true ? { dimensionId, segmentId } : undefined
}

export function writeSource({ dimensionId, segmentId }: TranslationSource): string {
  return `${dimensionId}:${segmentId}`
}

export function sourceScope(bar: Scope, { dimensionId, segmentId }: TranslationSource, attribute: Attribute): Scope {
  return restrictScope({ ...bar, [dimensionId]: segmentId }, attribute.dimensionIds)
}

interface Layers {
  readonly values: Values
  readonly effectiveValues: Values
}

/**
 * Returns whether the source has a value, and the target has no own value: the target's value in force is global, or
 * absent.
 */
export function isUntranslated(layers: Layers, attribute: Attribute, bar: Scope, source: TranslationSource): boolean {
  const from = cellValue(layers, attribute.alias, sourceScope(bar, source, attribute), attribute)
  if (from.value === undefined) return false
  const target = cellValue(layers, attribute.alias, restrictScope(bar, attribute.dimensionIds), attribute)
  return target.value === undefined || segmentOf(target.from, source.dimensionId) === undefined
}

/** One change of a value, from the audit trail. */
interface ValueChange {
  readonly timestamp: string
  readonly alias: string
  readonly scope: Scope
}

/** Returns the time of the last change of each stored value, by attribute and scope. @param changes the latest first */
export function lastChanges(changes: readonly ValueChange[]): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  for (const { alias, scope, timestamp } of changes) {
    const key = `${alias} ${scopeKey(scope)}`
    if (!last.has(key)) last.set(key, timestamp)
  }
  return last
}

/**
 * Returns the time of the source's change, if it is later than the target's change. T3. A target change that is older
 * than the read trail counts as earlier.
 */
export function newerSource(
  layers: Layers,
  attribute: Attribute,
  bar: Scope,
  source: TranslationSource,
  last: ReadonlyMap<string, string>,
): string | undefined {
  const { alias } = attribute
  const from = cellValue(layers, alias, sourceScope(bar, source, attribute), attribute)
  const target = cellValue(layers, alias, restrictScope(bar, attribute.dimensionIds), attribute)
  const isSame = covers(from.from, target.from) && covers(target.from, from.from)
  if (from.value === undefined || target.value === undefined || isSame) return undefined
  const at = last.get(`${alias} ${scopeKey(from.from)}`)
  const targetAt = last.get(`${alias} ${scopeKey(target.from)}`)
  return at !== undefined && (targetAt === undefined || at > targetAt) ? at : undefined
}

/** Counts code points, like the rules of an attribute; not code units. T2. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
