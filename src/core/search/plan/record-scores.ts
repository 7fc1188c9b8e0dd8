// Reads the completeness of all records from whole lists of the index, for facets that score many records.
import type { Schema } from '../../model/rules/model.ts'
import type { ScoredFacet } from '../rules/facets.ts'
import { scoredState, scoresOfPrints } from '../rules/scoped-score.ts'
import type { Asked, IndexedAttribute } from './asked.ts'
import { FIELD_ALIASES, PRINT_ALIAS, requiresAny } from './field-rows.ts'
import { eachList, groupKeys, listOfKeys } from './key-lists.ts'
import { memberTest } from './record-numbers.ts'
import { isScoreStored, readPrints } from './score-sets.ts'
import type { Place } from './sets.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'

/** Marks a record without a score. */
const NO_SCORE = 255

/** The whole percentages of records by their numbers. */
export class RecordScores {
  readonly #percentages: Uint8Array

  constructor(end: number) {
    this.#percentages = new Uint8Array(end).fill(NO_SCORE)
  }

  /** Stores a percentage; records from `end` are left out. */
  set(record: number, percentage: number): void {
    this.#percentages[record] = percentage
  }

  /** Returns the percentage of a record; undefined: the record has no score. */
  of(record: number): number | undefined {
    const percentage = this.#percentages[record]!
    return percentage === NO_SCORE ? undefined : percentage
  }
}

/** Reads scores; undefined: the index does not cover the scores. @param end above all numbers of scored records */
export async function readScores(facet: ScoredFacet, asked: Asked, end: number): Promise<RecordScores | undefined> {
  const scores = new RecordScores(end)
  for (const schema of asked.schemas) {
    if (!isScoreIndexed(schema, asked.model)) return undefined
    if (!(await addScores(facet, schema, asked, scores))) return undefined
  }
  return scores
}

/** Returns false for too many prints. */
async function addScores(facet: ScoredFacet, schema: Schema, asked: Asked, scores: RecordScores): Promise<boolean> {
  if (isScoreStored(facet, schema, asked.role)) {
    await eachOf(FIELD_ALIASES.completeness, schema, asked, (key, records) => {
      for (const record of records) scores.set(record, Number(key))
    })
    return true
  }
  return requiresAny(schema) ? addByPrints(facet, schema, asked, scores) : addComplete(facet, schema, asked, scores)
}

/** Adds records of a schema without required attributes: each is complete, if its state has a score. */
async function addComplete(facet: ScoredFacet, schema: Schema, asked: Asked, scores: RecordScores): Promise<boolean> {
  const workflow = asked.model.workflows.get(schema.workflowId)
  await eachOf(FIELD_ALIASES.lifecycleStateId, schema, asked, (key, records) => {
    if (scoredState(workflow, String(key), facet.stateId) === undefined) return
    for (const record of records) scores.set(record, 100)
  })
  return true
}

async function addByPrints(facet: ScoredFacet, schema: Schema, asked: Asked, scores: RecordScores): Promise<boolean> {
  const { scope, stateId } = facet
  const workflow = asked.model.workflows.get(schema.workflowId)
  const prints = await readPrints(schema, asked)
  const place = placeOf(asked.lookUp(PRINT_ALIAS).get(schema.id))
  const ofStates = placeOf(asked.lookUp(FIELD_ALIASES.lifecycleStateId).get(schema.id))
  if (prints === undefined) return false
  if (place === undefined) return true
  const states = Map.groupBy(workflow?.states ?? [], ({ id }) => scoredState(workflow, id, stateId))
  for (const [scored, among] of states) {
    if (scored === undefined) continue
    const inStates =
      states.size === 1 || ofStates === undefined
        ? undefined
        : listOfKeys(
            ofStates,
            among.map(({ id }) => id),
          )
    const isAmong = inStates === undefined ? () => true : memberTest(await asked.index.read(inStates))
    const scoreOf = scoresOfPrints(schema, { scope, stateId: scored }, asked)
    const byPercentage = await groupKeys(prints, (print) => scoreOf(print).percentage, asked.index)
    for (const [percentage, keys] of byPercentage)
      for (const record of await asked.index.read(listOfKeys(place, keys)))
        if (isAmong(record)) scores.set(record, percentage)
  }
  return true
}

async function eachOf(
  alias: string,
  schema: Schema,
  { index, lookUp }: Asked,
  look: Parameters<typeof eachList>[2],
): Promise<void> {
  const place = placeOf(lookUp(alias).get(schema.id))
  if (place !== undefined) await eachList(place, index, look)
}

/** Returns the place of a field, which has one scope. */
function placeOf(indexed: IndexedAttribute | undefined): Place<number> | undefined {
  return indexed && { attribute: indexed.n, scopes: indexed.scopes[0]!.n }
}
