// Turns criteria on completeness and missing attributes into sets of records. The index has few distinct prints of
// missing attributes, and each print is judged once for all its records. Contract 3 §1.
import { mayKnow } from '../../model/rules/hidden-rules.ts'
import type { Schema } from '../../model/rules/model.ts'
import type { FieldCriterion } from '../rules/criterion.ts'
import { testNumber } from '../rules/judge-field.ts'
import { all } from '../rules/operator.ts'
import { type ScopedScore, scoredState, scoresOfPrints } from '../rules/scoped-score.ts'
import type { Asked } from './asked.ts'
import { FIELD_ALIASES, PRINT_ALIAS } from './field-rows.ts'
import { keysOf, rangeOf } from './key-sets.ts'
import { allOf, intersect, NOTHING, type RecordSet, unite } from './sets.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'

/** Prints read or judged before the event loop gets a turn. */
const CHUNK = 500
/** Most prints of a schema; above this number, each record is judged by itself. */
const MAX_PRINTS = 20_000

/** Finds records of the schemas by completeness or missing attributes. */
export async function setOfScores(criterion: FieldCriterion, asked: Asked): Promise<RecordSet> {
  const sets: RecordSet[] = []
  for (const schema of asked.schemas) sets.push(await setOfSchema(criterion, schema, asked))
  return unite(sets)
}

async function setOfSchema(criterion: FieldCriterion, schema: Schema, asked: Asked): Promise<RecordSet> {
  if (!isScoreIndexed(schema, asked.model)) return allOf([schema.id], false)
  if (criterion.field === 'completeness' && isScoreStored(criterion, schema, asked.role))
    return keysOf(FIELD_ALIASES.completeness, rangeOf(criterion, asked), false, [schema], asked)
  const workflow = asked.model.workflows.get(schema.workflowId)
  const scored = Map.groupBy(workflow?.states ?? [], ({ id }) => scoredState(workflow, id, criterion.stateId))
  const sets: RecordSet[] = []
  for (const [stateId, states] of scored) {
    if (stateId === undefined) continue
    const set = await setOfState(criterion, schema, stateId, asked)
    const keys = states.map(({ id }) => id)
    const inStates = (): RecordSet =>
      keysOf(FIELD_ALIASES.lifecycleStateId, { kind: 'either', keys }, false, [schema], asked)
    sets.push(scored.size === 1 ? set : intersect([set, inStates()]))
  }
  return unite(sets)
}

/** True if the index contains the percentage beside the print: for all combinations and attributes, and the next state. */
export function isScoreStored(
  { scope = {}, stateId }: Pick<FieldCriterion, 'scope' | 'stateId'>,
  schema: Schema,
  role: Asked['role'],
): boolean {
  return stateId === undefined && Object.keys(scope).length === 0 && isAllKnown(schema, role)
}

/** True if the role may see every attribute that any state requires. */
export function isAllKnown(schema: Schema, role: Asked['role']): boolean {
  const isKnown = mayKnow(role, schema.id)
  return schema.attributes.every((attribute) => attribute.requiredInStateIds.length === 0 || isKnown(attribute))
}

/** @param stateId the state to score */
async function setOfState(
  criterion: FieldCriterion,
  schema: Schema,
  stateId: string,
  asked: Asked,
): Promise<RecordSet> {
  const passes = testOf(criterion)
  const scoreOf = scoresOfPrints(schema, { scope: criterion.scope, stateId }, asked)
  if (!schema.attributes.some(({ requiredInStateIds }) => requiredInStateIds.includes(stateId)))
    return passes(COMPLETE) ? allOf([schema.id]) : NOTHING
  const prints = await readPrints(schema, asked)
  if (prints === undefined) return allOf([schema.id], false)
  const keys: string[] = []
  for (let at = 0; at < prints.length; at += CHUNK) {
    for (const print of prints.slice(at, at + CHUNK)) if (passes(scoreOf(print))) keys.push(print)
    await asked.index.breathe()
  }
  if (keys.length === prints.length) return allOf([schema.id])
  return keys.length === 0 ? NOTHING : keysOf(PRINT_ALIAS, { kind: 'either', keys }, false, [schema], asked)
}

const COMPLETE: ScopedScore = { percentage: 100, missing: new Set() }

function testOf(criterion: FieldCriterion): (score: ScopedScore) => boolean {
  if (criterion.field === 'completeness') {
    const test = testNumber(criterion, 'number')
    return ({ percentage }) => test(percentage)
  }
  const wanted = criterion.operator === 'isNotEmpty' ? undefined : all(criterion.value ?? [])
  return ({ missing }) => (wanted === undefined ? missing.size > 0 : wanted.some((alias) => missing.has(alias)))
}

/**
 * Returns the distinct prints of the schema's indexed records; undefined: too many. Caches the result for other
 * criteria of the search.
 */
export async function readPrints(
  schema: Schema,
  { index, lookUp, prints }: Asked,
): Promise<readonly string[] | undefined> {
  if (prints.has(schema.id)) return prints.get(schema.id)
  const place = lookUp(PRINT_ALIAS).get(schema.id)
  const found: string[] = []
  for (let isMore = place !== undefined; isMore && found.length <= MAX_PRINTS;) {
    const ofPrints = { attribute: place!.n, scopes: place!.scopes[0]!.n }
    const some = await index.keys(ofPrints, found.at(-1) ?? '', CHUNK)
    found.push(...some)
    isMore = some.length === CHUNK
  }
  const known = found.length > MAX_PRINTS ? undefined : found
  prints.set(schema.id, known)
  return known
}
