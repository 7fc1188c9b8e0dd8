// Computes completeness in a reader thread, on one snapshot.
import { CombinationScores } from '../../core/records/rules/combination-scores.ts'
import {
  gateOf,
  missingFields,
  type ScoreSubject,
  type Tally,
  tallyInSteps,
} from '../../core/records/rules/completeness.ts'
import { notFound } from '../../kernel/errors.ts'
import { mayKnow } from '../../core/model/rules/hidden-rules.ts'
import { parseValues, type Values } from '../../core/records/rules/record.ts'
import { type DraftScore, scoreDraft } from '../../core/records/rules/record-issues.ts'
import type { DraftQuery, GatesQuery, ScoreBasis, ScoreQuery, StoredGates } from '../search-port.ts'
import type { TaskStep } from './reader-messages.ts'
import type { World } from './search-snapshot.ts'
import { inSlices } from './task-time.ts'

/** Characters of one piece of the list of missing fields. */
const PIECE_CHARACTERS = 65_536

export async function* runScore(query: ScoreQuery, world: World): AsyncGenerator<TaskStep, void> {
  const { subject } = await readSubject(query.recordId, world)
  const { model, index } = world
  const { schema } = subject
  const isCounted = mayKnow(query.role, schema.id)
  const combinations =
    query.byCombination === true ? new CombinationScores(schema, query.stateId, model, isCounted) : undefined
  const { gaps, ...score } = await inSlices(tallyInSteps(subject, query.stateId, isCounted, combinations), index)
  const combinationsJson = combinations && JSON.stringify([...combinations.scores()])
  yield { items: [{ score, combinationsJson }], total: null }
  for (const piece of piecesOf(gaps)) yield { items: [piece] }
  yield { items: [], isLast: true }
}

export async function scoreGates(query: GatesQuery, world: World): Promise<StoredGates> {
  const { subject, basis } = await readSubject(query.recordId, world)
  const isKnown = mayKnow(query.role, subject.schema.id)
  const gates: StoredGates['gates'][number][] = []
  for (const stateId of query.stateIds) {
    const tally = await inSlices(tallyInSteps(subject, stateId), world.index)
    gates.push({ stateId, ...gateOf(tally, isKnown, query.limit) })
  }
  return { basis, gates }
}

/** @throws NOT_FOUND for a schema deleted meanwhile */
export async function scoreOfDraft(query: DraftQuery, { model, reads, index }: World): Promise<DraftScore> {
  const { schemaId, parentId, valuesJson, stateId, role, faulty } = query
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw notFound('Schema', schemaId)
  const parent = parentId === null ? undefined : await reads.records.get(parentId)
  const layers = { own: JSON.parse(valuesJson) as Values, inherited: parent === undefined ? null : parseValues(parent) }
  const steps = tallyInSteps({ layers, schema, model }, stateId, mayKnow(role, schemaId))
  return scoreDraft(await inSlices(steps, index), faulty)
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
async function readSubject(
  recordId: string,
  { model, reads }: World,
): Promise<{ subject: ScoreSubject; basis: ScoreBasis }> {
  const record = await reads.records.get(recordId)
  if (record === undefined) throw notFound('Record', recordId)
  const { parentId } = record
  const parent = parentId === null ? undefined : await reads.records.get(parentId)
  const modelVersion = reads.modelVersion()
  const layers = { own: parseValues(record), inherited: parent === undefined ? null : parseValues(parent) }
  return {
    // A schema cannot be deleted while it has records.
    subject: { layers, schema: model.schemas.get(record.schemaId)!, model },
    basis: { recordVersion: record.version, parentVersion: parent?.version ?? null, modelVersion },
  }
}
