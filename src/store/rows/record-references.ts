// The index of references: the values that name a record. Contract 2 §3.
import type { Referrer } from '../../core/records/rules/referrer.ts'
import { fileOfTarget, type RecordReference } from '../../core/values/values.ts'
import type { RecordIdentity, ReferrersAsked } from '../record-port.ts'
import type { SqlSession, SqlWriter } from './session.ts'

/** The values of one attribute that name one record. */
type Place = Pick<Referrer, 'targetId' | 'schemaId' | 'alias'>

const ROW = { target_id: 'text', schema_id: 'text', alias: 'text', record_id: 'text', scope: 'text' } as const
const KEY = Object.keys(ROW).join(', ')

/** The most references of one query. */
const AT_ONCE = 1000

const PAGE = `SELECT record_id AS "recordId", scope FROM record_reference
  WHERE target_id = $1 AND schema_id = $2 AND alias = $3 AND (record_id, scope) > ($4, $5)
  ORDER BY record_id, scope LIMIT $6`

/** Implements `referrers` of the port. In each place, only the requested rows are read. */
export async function readReferrers(session: SqlSession, asked: ReferrersAsked): Promise<Referrer[]> {
  const { after, limit } = asked
  const found: Referrer[] = []
  for (const place of await findPlaces(session, asked)) {
    const isAfter = after !== undefined && comparePlaces(place, after) === 0
    if (after !== undefined && !isAfter && comparePlaces(place, after) < 0) continue
    const from = isAfter ? [after.recordId, after.scope] : ['', '']
    const { targetId, schemaId, alias } = place
    const parameters = [targetId, schemaId, alias, ...from, limit - found.length]
    for (const row of await session.rows<Pick<Referrer, 'recordId' | 'scope'>>(PAGE, parameters))
      found.push({ ...place, ...row })
    if (found.length >= limit) break
  }
  return found
}

/** Finds the places that have values, in order. */
async function findPlaces(session: SqlSession, { targetIds, attributes }: ReferrersAsked): Promise<Place[]> {
  if (targetIds.length === 0 || attributes.length === 0) return []
  const { dialect } = session
  const [schemaId, alias] = [dialect.member('attribute.pair', 'schemaId'), dialect.member('attribute.pair', 'alias')]
  // A subquery for each pair: an engine that joins may read the whole table.
  const sql = `SELECT target.id AS "targetId", ${schemaId} AS "schemaId", ${alias} AS alias
    FROM (SELECT value AS id FROM ${dialect.each(1)}) AS target
    CROSS JOIN (SELECT value AS pair FROM ${dialect.each(2)}) AS attribute
    WHERE (SELECT 1 FROM record_reference
      WHERE target_id = target.id AND schema_id = ${schemaId} AND alias = ${alias} LIMIT 1) IS NOT NULL`
  const pairs = attributes.map((attribute) => JSON.stringify({ schemaId: attribute.schemaId, alias: attribute.alias }))
  return (await session.rows<Place>(sql, [targetIds, pairs])).toSorted(comparePlaces)
}

function comparePlaces(one: Place, other: Place): number {
  for (const member of ['targetId', 'schemaId', 'alias'] as const)
    if (one[member] !== other[member]) return one[member] < other[member] ? -1 : 1
  return 0
}

/** Implements `setReferences` of the port. */
export function writeReferences(
  { writer, dialect }: SqlSession,
  { id, schemaId }: RecordIdentity,
  before: readonly RecordReference[],
  after: readonly RecordReference[],
): void {
  if (before.length + after.length === 0) return
  const [held, wanted] = [byKey(before), byKey(after)]
  const gone = dialect.remove('record_reference', ROW)
  for (const { recordId, alias, scope } of missingIn(wanted, held)) {
    writer.holdRow(gone, recordId, schemaId, alias, id, scope)
    noteUnnamed(writer, recordId)
  }
  // While a schema changes, a reference may be stored already.
  const added = `INSERT INTO record_reference (${KEY}) SELECT ${KEY} FROM ${dialect.given('added', ROW)} WHERE true ON CONFLICT DO NOTHING`
  for (const { recordId, alias, scope } of missingIn(held, wanted))
    writer.holdRow(added, recordId, schemaId, alias, id, scope)
}

/** Marks a file as unnamed, so that the collection of files checks later whether another value names it. */
function noteUnnamed(writer: SqlWriter, target: string): void {
  const sha256 = fileOfTarget(target)
  if (sha256 !== undefined) writer.hold("UPDATE file SET unnamed_since = '', was_named = 1 WHERE sha256 = $1", sha256)
}

type ByKey = ReadonlyMap<string, RecordReference>

function byKey(references: readonly RecordReference[]): ByKey {
  return new Map(
    references.map((reference) => [`${reference.alias}\n${reference.scope}\n${reference.recordId}`, reference]),
  )
}

/** The references that `others` lacks, in the order of the table: neighbours share a page. */
function missingIn(others: ByKey, references: ByKey): readonly RecordReference[] {
  return [...references]
    .flatMap(([key, reference]) => (others.has(key) ? [] : [reference]))
    .sort((one, other) => (one.recordId < other.recordId ? -1 : Number(one.recordId > other.recordId)))
}

/** Returns the indexes of the references that are stored. */
export async function findNotedReferences(
  session: SqlSession,
  references: readonly Referrer[],
): Promise<ReadonlySet<number>> {
  const { dialect } = session
  const isSame = Object.keys(ROW).map((column) => `${column} = ${dialect.member('asked.one', column)}`)
  const sql = `SELECT ${dialect.member('asked.one', 'place')} AS place FROM (SELECT value AS one FROM ${dialect.each(1)}) AS asked
    WHERE (SELECT 1 FROM record_reference WHERE ${isSame.join(' AND ')}) IS NOT NULL`
  const found = new Set<number>()
  for (let at = 0; at < references.length; at += AT_ONCE) {
    const asked = references.slice(at, at + AT_ONCE).map(({ targetId, schemaId, alias, recordId, scope }, index) =>
      JSON.stringify({
        place: at + index,
        target_id: targetId,
        schema_id: schemaId,
        alias,
        record_id: recordId,
        scope,
      }),
    )
    for (const { place } of await session.rows<{ place: number | string }>(sql, [asked])) found.add(Number(place))
  }
  return found
}
