// The completeness of a record for a lifecycle state. Contract 1 §2.3, 1 §4.1, 2 §4, 3 §9.6. `combination-scores.ts`
// scores each combination of segments.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import type { Attribute } from '../../model/rules/attributes.ts'
import { cellsOfAny, combinationAt, type Grid } from '../../scopes/grid.ts'
import { judgeGuard } from '../../model/rules/guards.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import type { ValueLayers } from './record.ts'
import { ScopeShape } from '../../scopes/scope.ts'
import { ValueSheet } from '../../scopes/value-sheet.ts'

export const MissingFieldShape = v.object({
  attributeAlias: v.string(),
  /** The full combination of the attribute's dimensions. */
  scope: ScopeShape,
})
export type MissingField = OutputOf<typeof MissingFieldShape>

export interface Completeness {
  readonly filled: number
  readonly total: number
  /** Whole percent, rounded down; 100 if nothing is required. */
  readonly percentage: number
  /** In schema order. */
  readonly missing: readonly MissingField[]
}

/** A score that does not list missing fields yet, of which a record may have a hundred thousand. */
export interface Tally extends Omit<Completeness, 'missing'> {
  readonly gaps: readonly Gap[]
}

/** The required fields of one attribute that have no value. */
interface Gap {
  readonly attribute: Attribute
  readonly grid: Grid
  /** 1 for each combination that lacks a value. */
  readonly isMissing: Uint8Array
}

/** The record to score, and the state. */
export interface ScoreSubject {
  readonly layers: ValueLayers
  readonly schema: Schema
  readonly model: Model
}

/** Returns whether an attribute counts in a score. */
export type IsCounted = (attribute: Attribute) => boolean

const EVERY: IsCounted = () => true

/** Receives each attribute that counts in a score. */
export interface FieldSink {
  /**
   * `isRequired`: 1 for each combination in which the attribute is a required field. `isMissing`: 1 for each of them
   * without a value.
   */
  add(grid: Grid, isRequired: Uint8Array, isMissing: Uint8Array, attribute: Attribute): void
}

/** The share of required fields that have a value. */
export const Percentage = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

export const CompletenessShape = v.object({
  entityId: v.string(),
  lifecycleStateId: v.string(),
  filled: v.number(),
  total: v.number(),
  percentage: Percentage,
  missing: v.array(MissingFieldShape),
})

/** Scores the attributes that `stateId` requires, in every combination that counts. */
export function scoreCompleteness(subject: ScoreSubject, stateId: string, isCounted?: IsCounted): Completeness {
  const { gaps, ...score } = tallyCompleteness(subject, stateId, isCounted)
  return { ...score, missing: [...missingFields(gaps)] }
}

export function tallyCompleteness(subject: ScoreSubject, stateId: string, isCounted: IsCounted = EVERY): Tally {
  return runToEnd(tallyInSteps(subject, stateId, isCounted))
}

/** Tallies as a generator. It yields after each attribute and each criterion of a guard, so that other work can run. */
export function* tallyInSteps(
  { layers, schema, model }: ScoreSubject,
  stateId: string,
  isCounted: IsCounted = EVERY,
  sink?: FieldSink,
): Generator<void, Tally> {
  const subject = { schema, model, sheet: new ValueSheet(layers, schema, model) }
  const gaps: Gap[] = []
  let total = 0
  let lacking = 0
  for (const attribute of schema.attributes) {
    if (!attribute.requiredInStateIds.includes(stateId) || !isCounted(attribute)) continue
    const fields = yield* fieldsOf(attribute, subject)
    total += fields.total
    lacking += fields.lacking
    if (fields.lacking > 0) gaps.push(fields)
    sink?.add(fields.grid, fields.isRequired, fields.isMissing, attribute)
    yield
  }
  const filled = total - lacking
  return { filled, total, percentage: percentageOf(filled, total), gaps }
}

/** Adds the attribute to the scores of the states that require it. */
export function requiredFieldsOf(attribute: Attribute, subject: FieldsSubject): RequiredFields {
  return runToEnd(fieldsOf(attribute, subject))
}

/** The required fields of an attribute: the combinations that count and in which its guard shows it. */
export interface RequiredFields extends Gap {
  /** 1 for each combination in which the attribute is required. */
  readonly isRequired: Uint8Array
  readonly total: number
  readonly lacking: number
}

interface FieldsSubject {
  readonly schema: Schema
  readonly model: Model
  readonly sheet: ValueSheet
}

function* fieldsOf(attribute: Attribute, { schema, model, sheet }: FieldsSubject): Generator<void, RequiredFields> {
  const grid = sheet.grid(attribute.dimensionIds)
  const isVisible = yield* judgeGuard(attribute, schema, sheet)
  const isWanted = countedCells(schema, grid, model)
  const isFilled = sheet.filledCells(attribute)
  const isRequired = new Uint8Array(grid.size)
  const isMissing = new Uint8Array(grid.size)
  let total = 0
  let lacking = 0
  for (let cell = 0; cell < grid.size; cell += 1) {
    if (isVisible?.[cell] === 0 || isWanted?.[cell] === 0) continue
    total += 1
    isRequired[cell] = 1
    if (isFilled[cell] !== 0) continue
    isMissing[cell] = 1
    lacking += 1
  }
  return { attribute, grid, isRequired, isMissing, total, lacking }
}

function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export function percentageOf(filled: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * filled) / total)
}

/** In schema order, and in the order of combinations. */
export function* missingFields(gaps: readonly Gap[]): Generator<MissingField, void> {
  for (const { attribute, grid, isMissing } of gaps) {
    for (let cell = 0; cell < isMissing.length; cell += 1)
      if (isMissing[cell] === 1) yield { attributeAlias: attribute.alias, scope: combinationAt(grid, cell) }
  }
}

interface CountedCells {
  readonly dimensions: Model['dimensions']
  readonly byGrid: Map<Grid, Uint8Array>
}

const countedOf = new WeakMap<Schema, CountedCells>()

/**
 * Returns 1 for each combination that a schema's `combinations` let count; undefined: all count. So a market with two
 * of five languages has no missing text in the other three. Cached while schema and dimensions stay the same.
 */
export function countedCells(schema: Schema, grid: Grid, { dimensions }: Model): Uint8Array | undefined {
  if (schema.combinations === null) return undefined
  let known = countedOf.get(schema)
  if (known?.dimensions !== dimensions) {
    known = { dimensions, byGrid: new Map() }
    countedOf.set(schema, known)
  }
  let cells = known.byGrid.get(grid)
  if (cells === undefined) {
    cells = cellsOfAny(schema.combinations, grid)
    known.byGrid.set(grid, cells)
  }
  return cells
}

/** The missing fields that prevent a record from entering a state. */
export interface Gate {
  /** The number of required fields without a value; 0: the record is complete. */
  readonly lacking: number
  /** The first missing fields that the role may know. */
  readonly missing: readonly MissingField[]
}

/** @param limit of the missing fields that are named */
export function gateOf({ filled, total, gaps }: Tally, isKnown: IsCounted, limit: number): Gate {
  const known = gaps.filter(({ attribute }) => isKnown(attribute))
  return { lacking: total - filled, missing: [...missingFields(known).take(limit)] }
}
