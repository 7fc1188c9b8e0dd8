// The values of one record for its guards: values in force, each read and compared once for all guards.
import type { QueryCriterion } from '../search/rules/criterion.ts'
import type { DataType } from '../datatypes/data-type.ts'
import { dataTypeOf } from '../datatypes/data-types.ts'
import { type Grid, gridOf, projectOnto } from './grid.ts'
import { valuesInForce, type ValuesInForce } from './in-force.ts'
import type { Attribute } from '../model/rules/attributes.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import type { ValueReader } from '../search/rules/operator.ts'
import { operatorOf } from '../search/rules/operators.ts'
import type { ValueLayers } from '../records/rules/record.ts'
import { restrictScope, type Scope, scopeKey } from './scope.ts'
import { foldText } from '../../kernel/text.ts'

/** The result of one criterion in every combination of its dimensions: 1 where it holds. */
interface CriterionTable {
  readonly grid: Grid
  readonly holds: Uint8Array
}

export class ValueSheet {
  readonly model: Model
  readonly #layers: ValueLayers
  readonly #schema: Schema
  readonly #attributes = new Map<string, AttributeSheet>()

  constructor(layers: ValueLayers, schema: Schema, model: Model) {
    this.#layers = layers
    this.#schema = schema
    this.model = model
  }

  grid(dimensionIds: readonly string[]): Grid {
    return gridOf(dimensionIds, this.model.dimensions)
  }

  /** For each combination of the attribute's dimensions 1 where its effective value is not empty. */
  filledCells(attribute: Attribute): Uint8Array {
    return this.#of(attribute).filledCells()
  }

  /**
   * The criterion as an attribute of `dimensionIds` asks it: in the scope of each combination, before which the
   * criterion's own scope goes. On an attribute that the schema does not define it holds nowhere.
   */
  judge(criterion: QueryCriterion, dimensionIds: readonly string[]): CriterionTable {
    const attribute = this.#schema.attribute(criterion.attributeAlias)
    const grid = this.grid(dependenciesOf(criterion, dimensionIds, this.#schema))
    if (attribute === undefined) return { grid, holds: new Uint8Array(grid.size) }
    return { grid, holds: this.#of(attribute).judge(criterion, grid) }
  }

  #of(attribute: Attribute): AttributeSheet {
    let sheet = this.#attributes.get(attribute.alias)
    if (sheet === undefined) {
      const grid = this.grid(attribute.dimensionIds)
      sheet = new AttributeSheet(attribute, grid, valuesInForce(this.#layers, attribute.alias, grid))
      this.#attributes.set(attribute.alias, sheet)
    }
    return sheet
  }
}

/**
 * The members of `dimensionIds` that the criterion's outcome depends on: the dimensions of its attribute that its own
 * scope leaves open.
 */
export function dependenciesOf(
  { attributeAlias, scope = {} }: QueryCriterion,
  dimensionIds: readonly string[],
  schema: Schema,
): string[] {
  const asked = schema.attribute(attributeAlias)?.dimensionIds ?? []
  return dimensionIds.filter((id) => asked.includes(id) && !Object.hasOwn(scope, id))
}

/** By operator and the like, then by comparand. */
type Remembered<Value> = Map<string, Map<string, Value>>

interface Judgements {
  /** The result of a test for each value. */
  readonly passes: Remembered<Uint8Array>
  /** The result of a criterion in each combination. */
  readonly tables: Remembered<Uint8Array>
  readonly places: Remembered<Int32Array>
}

/** One attribute's part of a sheet. */
class AttributeSheet {
  readonly #attribute: Attribute
  readonly #type: DataType
  readonly #grid: Grid
  readonly #inForce: ValuesInForce
  #reader: ValueReader | undefined
  #known: Judgements | undefined

  constructor(attribute: Attribute, grid: Grid, inForce: ValuesInForce) {
    this.#attribute = attribute
    this.#type = dataTypeOf(attribute)
    this.#grid = grid
    this.#inForce = inForce
  }

  filledCells(): Uint8Array {
    const { values, cells } = this.#inForce
    const isFilled = Uint8Array.from(values, ({ value }) => Number(!this.#type.isEmpty(value)))
    const filled = new Uint8Array(cells.length)
    for (let cell = 0; cell < cells.length; cell += 1) filled[cell] = cells[cell]! < 0 ? 0 : isFilled[cells[cell]!]!
    return filled
  }

  judge(criterion: QueryCriterion, grid: Grid): Uint8Array {
    const within = restrictScope(criterion.scope ?? {}, this.#attribute.dimensionIds)
    const name = `${criterion.operator} ${scopeKey(within)} ${grid.dimensionIds.join(';')}`
    return remembered(this.#judged.tables, name, comparandOf(criterion), () => {
      const passes = this.#test(criterion)
      const holds = new Uint8Array(grid.size)
      const places = this.#project(grid, within)
      const { cells } = this.#inForce
      for (let cell = 0; cell < cells.length; cell += 1) {
        const place = places[cell]!
        if (cells[cell]! >= 0 && place >= 0 && passes[cells[cell]!] === 1) holds[place] = 1
      }
      return operatorOf(criterion).isNegated ? holds.map((found) => 1 - found) : holds
    })
  }

  /** Made, as the reader is, where something is asked of the values: most sheets are asked only whether there are any. */
  get #judged(): Judgements {
    this.#known ??= { passes: new Map(), tables: new Map(), places: new Map() }
    return this.#known
  }

  #readerOfValues(): ValueReader {
    this.#reader ??= {
      fold: remembering(foldText),
      keys: remembering((value: unknown) => this.#type.equalityKeys(value)),
    }
    return this.#reader
  }

  #project(grid: Grid, within: Scope): Int32Array {
    const name = `${scopeKey(within)} ${grid.dimensionIds.join(';')}`
    return remembered(this.#judged.places, name, '', () => projectOnto(this.#grid, grid, within))
  }

  #test(criterion: QueryCriterion): Uint8Array {
    return remembered(this.#judged.passes, criterion.operator, comparandOf(criterion), () => {
      const test = operatorOf(criterion).test(criterion.value ?? '', this.#attribute, this.#readerOfValues())
      return Uint8Array.from(this.#inForce.values, ({ value }) => Number(test(value)))
    })
  }
}

function comparandOf(criterion: QueryCriterion): string {
  return operatorOf(criterion).operand !== 'none' ? (criterion.value ?? '') : ''
}

function remembering<Input, Output>(work: (input: Input) => Output): (input: Input) => Output {
  const known = new Map<Input, Output>()
  return (input) => {
    let output = known.get(input)
    if (output === undefined) {
      output = work(input)
      known.set(input, output)
    }
    return output
  }
}

function remembered<Value>(memory: Remembered<Value>, name: string, comparand: string, work: () => Value): Value {
  let byComparand = memory.get(name)
  if (byComparand === undefined) {
    byComparand = new Map()
    memory.set(name, byComparand)
  }
  let value = byComparand.get(comparand)
  if (value === undefined) {
    value = work()
    byComparand.set(comparand, value)
  }
  return value
}
