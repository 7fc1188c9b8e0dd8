// Completeness in a reader thread: on one snapshot, in slices, so that other tasks of the thread get their turns.
import { CombinationScores } from '../../core/records/rules/combination-scores.ts'
import {
  type FieldSink,
  gateOf,
  type IsCounted,
  missingFields,
  type ScoreSubject,
  type Tally,
  tallyInSteps,
} from '../../core/records/rules/completeness.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { mayKnow } from '../../core/model/rules/hidden-rules.ts'
import type { Values } from '../../core/records/rules/record.ts'
import { type DraftScore, scoreDraft } from '../../core/records/rules/record-issues.ts'
import type { StoredRecord } from '../record-port.ts'
import { type Plan, type Program, readTask } from '../../core/search/plan/ask.ts'
import type { DraftQuery, GatesQuery, ScoreBasis, ScoreQuery, StoredGates, StoredScore } from '../search-port.ts'

const SLICE_MILLISECONDS = 10
/** Of one piece of the list of missing fields. */
const PIECE_CHARACTERS = 65_536

export interface CompletenessStep<Item> {
  readonly items: Item[]
  /** null with the first items. */
  readonly total?: null
  readonly isLast?: boolean
}

/** The score first, then the pieces of JSON of what is missing. */
export type ScoreItem = Omit<StoredScore, 'missingJson'> | string

export function* runScore(query: ScoreQuery, model: Model): Program<CompletenessStep<ScoreItem>> {
  const { subject } = yield* readSubject(query.recordId, model)
  const { schema } = subject
  const isCounted = mayKnow(query.role, schema.id)
  const combinations =
    query.byCombination === true ? new CombinationScores(schema, query.stateId, model, isCounted) : undefined
  const { gaps, ...score } = yield* inSlices(subject, query.stateId, isCounted, combinations)
  const combinationsJson = combinations && JSON.stringify([...combinations.scores()])
  yield { items: [{ score, combinationsJson }], total: null }
  for (const piece of piecesOf(gaps)) yield { items: [piece] }
  yield { items: [], isLast: true }
}

export function* runGates(query: GatesQuery, model: Model): Program<CompletenessStep<StoredGates>> {
  const { subject, basis } = yield* readSubject(query.recordId, model)
  const isKnown = mayKnow(query.role, subject.schema.id)
  const gates: StoredGates['gates'][number][] = []
  for (const stateId of query.stateIds) {
    const tally = yield* inSlices(subject, stateId)
    gates.push({ stateId, ...gateOf(tally, isKnown, query.limit) })
  }
  yield { items: [{ basis, gates }], total: null, isLast: true }
}

/** @throws NOT_FOUND for a schema that is gone by now */
export function* runDraft(query: DraftQuery, model: Model): Program<CompletenessStep<DraftScore>> {
  const { schemaId, parentId, valuesJson, stateId, role, faulty } = query
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw notFound('Schema', schemaId)
  const parent = parentId === null ? undefined : yield* readTask((reads) => reads.record(parentId))
  const layers = { own: JSON.parse(valuesJson) as Values, inherited: parent === undefined ? null : parseValues(parent) }
  const tally = yield* inSlices({ layers, schema, model }, stateId, mayKnow(role, schemaId))
  yield { items: [scoreDraft(tally, faulty)], total: null, isLast: true }
}

function* inSlices(
  subject: ScoreSubject,
  stateId: string,
  isCounted?: IsCounted,
  sink?: FieldSink,
): Program<CompletenessStep<never>, Tally> {
  const steps = tallyInSteps(subject, stateId, isCounted, sink)
  let end = performance.now() + SLICE_MILLISECONDS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < end) continue
    yield { items: [] }
    end = performance.now() + SLICE_MILLISECONDS
  }
}

function* piecesOf(gaps: Tally['gaps']): Generator<string, void> {
  let piece = ''
  let separator = ''
  for (const field of missingFields(gaps)) {
    piece += separator + JSON.stringify(field)
    separator = ','
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** @throws NOT_FOUND */
function* readSubject(recordId: string, model: Model): Plan<{ subject: ScoreSubject; basis: ScoreBasis }> {
  const record = yield* readTask((reads) => reads.record(recordId))
  if (record === undefined) throw notFound('Record', recordId)
  const { parentId } = record
  const parent = parentId === null ? undefined : yield* readTask((reads) => reads.record(parentId))
  const modelVersion = yield* readTask((reads) => reads.modelVersion())
  const layers = { own: parseValues(record), inherited: parent === undefined ? null : parseValues(parent) }
  return {
    // A schema cannot be deleted while it has records.
    subject: { layers, schema: model.schemas.get(record.schemaId)!, model },
    basis: { recordVersion: record.version, parentVersion: parent?.version ?? null, modelVersion },
  }
}

function parseValues(record: StoredRecord): Values {
  return JSON.parse(record.valuesJson) as Values
}
