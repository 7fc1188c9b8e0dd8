// The columns of a csv export: fixed fields, then one for each attribute and scope that occurs, in the order of schemas,
// attributes and scopes. Contract 2 §6. Attributes of several schemas share a column where they share an alias.
import type { Attribute } from '../model/rules/attributes.ts'
import { UNIT_FIELDS, type UnitField } from '../datatypes/data-type.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { PimletError } from '../../kernel/errors.ts'
import { FIXED_FIELDS } from '../records/rules/exported-record.ts'
import { gridOf } from '../scopes/grid.ts'
import { type Scope, scopeKey, segmentOf, type SegmentedDimension } from '../scopes/scope.ts'

/** The last column of a delta. Contract 3 §10. */
export const DELETED_COLUMN = 'deleted'
/** An attribute that is called like one of these has the column `values.<alias>`, in files that have theirs. */
export const TAKEN_NAMES: readonly string[] = [...FIXED_FIELDS, DELETED_COLUMN]

/** Limits of spreadsheets. */
const MAX_COLUMNS = 16_384

/** Where in a row the parts of one value go. */
interface ValueCells {
  readonly text: number
  /** Index of the column of the value's unit or currency. */
  readonly units: ReadonlyMap<UnitField, number>
}

export interface CsvColumns {
  readonly names: readonly string[]
  /** A row without any value. */
  readonly empty: readonly null[]
  /** Alias → scope key → cells. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, ValueCells>>
}

/** A scope in which an alias occurs, and the fields for the units of its amounts (unit, currency). */
interface FoundScope {
  readonly scope: Scope
  readonly units: Set<UnitField>
}

/** Notes the scopes and units that occur, then lays out the columns. */
export class ColumnSurvey {
  /** Alias → scope key → scope with amounts. Schemas may share an alias, and only some of them have amounts or scopes. */
  readonly #aliases = new Map<string, Map<string, FoundScope>>()
  #found: number = FIXED_FIELDS.length

  /** @throws VALIDATION_ERROR for more columns than a spreadsheet can open */
  add(attribute: Attribute, scope: Scope): void {
    let scopes = this.#aliases.get(attribute.alias)
    if (scopes === undefined) {
      scopes = new Map()
      this.#aliases.set(attribute.alias, scopes)
    }
    const key = scopeKey(scope)
    const before = scopes.get(key)
    const found = before ?? { scope, units: new Set() }
    const { unitField } = dataTypeOf(attribute)
    const isNewUnit = unitField !== undefined && !found.units.has(unitField)
    if (before !== undefined && !isNewUnit) return
    scopes.set(key, found)
    if (isNewUnit) found.units.add(unitField)
    this.#found += Number(before === undefined) + Number(isNewUnit)
    if (this.#found > MAX_COLUMNS) throw tooManyColumns()
  }

  /**
   * @param order attributes in their order, including all added attributes
   * @param taken names that no attribute's column may have
   */
  layOut(
    order: readonly Attribute[],
    dimensions: ReadonlyMap<string, SegmentedDimension>,
    taken: readonly string[] = FIXED_FIELDS,
  ): CsvColumns {
    const names: string[] = [...FIXED_FIELDS]
    const cells = new Map<string, Map<string, ValueCells>>()
    for (const alias of new Set(order.map((attribute) => attribute.alias))) {
      const found = this.#aliases.get(alias)
      if (found === undefined) continue
      const scopes = [...found].sort(([, one], [, other]) => compareScopes(one.scope, other.scope, dimensions))
      const byScope = new Map<string, ValueCells>()
      for (const [key, { units: occurring }] of scopes) {
        const name = columnName(alias, key, taken)
        const unitFields = UNIT_FIELDS.filter((unitField) => occurring.has(unitField))
        const text = names.push(name) - 1
        const units = new Map(unitFields.map((unitField) => [unitField, names.push(`${name}.${unitField}`) - 1]))
        byScope.set(key, { text, units })
      }
      cells.set(alias, byScope)
    }
    return { names, empty: names.map(() => null), cells }
  }
}

/** `name[language=de;market=eu]`. `values.id` for an attribute that is called like a fixed field: an alias holds no dot. */
function columnName(alias: string, key: string, taken: readonly string[]): string {
  const name = taken.includes(alias) ? `values.${alias}` : alias
  return key === '' ? name : `${name}[${key}]`
}

/** Fewer dimensions first, then in the order of dimensions and of their segments. */
function compareScopes(one: Scope, other: Scope, dimensions: ReadonlyMap<string, SegmentedDimension>): number {
  const difference = Object.keys(one).length - Object.keys(other).length
  if (difference !== 0) return difference
  for (const id of dimensions.keys()) {
    const places = gridOf([id], dimensions).places[0]!
    const [first, second] = [one, other].map((scope) => {
      const segmentId = segmentOf(scope, id)
      return segmentId === undefined ? places.size : (places.get(segmentId) ?? -1)
    })
    if (first !== second) return first! - second!
  }
  return 0
}

function tooManyColumns(): PimletError {
  return new PimletError(
    'VALIDATION_ERROR',
    `The file would have more than ${MAX_COLUMNS} columns: set a dimensionScope or a schemaId, or take another format`,
  )
}
