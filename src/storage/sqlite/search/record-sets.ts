// Sets of record numbers as SQL, and how they are joined. SQLite takes neither a statement of any length nor any number of
// parameters; the numbers here stay well below what it takes.
import type { Schema } from '../../../domain/model.ts'

/** A set of record numbers: a SELECT of one column `record`, without duplicates. */
export interface RecordSet {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /** Whether it is the set itself; otherwise it contains the set. */
  readonly isExact: boolean
  /** Lower: likely to be smaller, to be looked at first. */
  readonly rank: number
  /** Whether its rows come one after another from an index: the first N of them cost N, however many there are. */
  readonly isRange: boolean
  /** Whether they come in ascending order as well. */
  readonly isOrdered: boolean
  /** How many times all texts are read for it; a question to the trigram index counts as a part of that. */
  readonly scans: number
  /** Whether it is a UNION. */
  readonly isCompound?: boolean
}

/**
 * The set as a table to select from under a condition. SQLite would put the condition into every member of a UNION, with a
 * copy of each set that it names: of two sets with 200 members 40,000. A limit, even one that is none, prevents it.
 */
export function asTable(set: RecordSet): string {
  return set.isCompound === true ? `(${set.sql} LIMIT -1)` : `(${set.sql})`
}

/** Of a set that SQLite may have to make whole before its first row comes. */
export const NO_RANGE = { isRange: false, isOrdered: false }

export const NOTHING: RecordSet = {
  sql: 'SELECT 0 AS record WHERE 0',
  parameters: [],
  isExact: true,
  rank: 0,
  isRange: true,
  isOrdered: true,
  scans: 0,
}

/** Members of one UNION. */
const MAX_MEMBERS = 100
/** Parameters of one list; of more it takes one, which is JSON. */
const MAX_LISTED = 200
/** Characters of SQL, and parameters, of one set. */
const MAX_SQL = 300_000
const MAX_PARAMETERS = 15_000
/** A scan cannot be interrupted: a search may not make a thread do many in one statement. */
const MAX_SCANS = 4

/** Whether all of `sets` may stand in one statement. */
export function areFew(sets: readonly RecordSet[]): boolean {
  const sum = (weigh: (set: RecordSet) => number): number => sets.reduce((total, set) => total + weigh(set), 0)
  return (
    sum((set) => set.sql.length) <= MAX_SQL &&
    sum((set) => set.parameters.length) <= MAX_PARAMETERS &&
    sum((set) => set.scans) <= MAX_SCANS
  )
}

/** `column` is one of `values`. */
export function isAmong(column: string, values: readonly unknown[]): { sql: string; parameters: readonly unknown[] } {
  if (values.length > MAX_LISTED)
    return { sql: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, parameters: values }
}

export function allRecordsOf(schemas: readonly Schema[], isExact = true): RecordSet {
  if (schemas.length === 0) return NOTHING
  const ofSchemas = isAmong(
    'schema_id',
    schemas.map((schema) => schema.id),
  )
  const sql = `SELECT n AS record FROM main.record WHERE ${ofSchemas.sql}`
  return { sql, parameters: ofSchemas.parameters, isExact, rank: 9, isRange: true, isOrdered: false, scans: 0 }
}

/** The records of a schema that are not in the set; all of them where the set is not exact. */
export function complement(set: RecordSet, schema: Schema): RecordSet {
  if (!set.isExact) return allRecordsOf([schema], false)
  const sql = `SELECT n AS record FROM main.record WHERE schema_id = ? AND n NOT IN (${set.sql})`
  const parameters = [schema.id, ...set.parameters]
  return { sql, parameters, isExact: true, rank: 9, scans: set.scans, ...NO_RANGE }
}

export function intersect(sets: readonly RecordSet[]): RecordSet {
  if (sets.length === 1) return sets[0]!
  const [first, ...others] = sets.toSorted((one, other) => one.rank - other.rank)
  const conditions = others.map((set) => `record IN (${set.sql})`)
  return {
    sql: `SELECT record FROM ${asTable(first!)} WHERE ${conditions.join(' AND ')}`,
    parameters: [first!, ...others].flatMap((set) => set.parameters),
    isExact: sets.every((set) => set.isExact),
    rank: first!.rank,
    scans: countScans(sets),
    ...NO_RANGE,
  }
}

export function unite(sets: readonly RecordSet[], areDisjoint: boolean): RecordSet {
  if (sets.length === 0) return NOTHING
  if (sets.length === 1) return sets[0]!
  if (sets.length > MAX_MEMBERS) return unite(uniteInParts(sets, areDisjoint), areDisjoint)
  return {
    sql: sets.map((set) => `SELECT record FROM (${set.sql})`).join(areDisjoint ? ' UNION ALL ' : ' UNION '),
    parameters: sets.flatMap((set) => set.parameters),
    isExact: sets.every((set) => set.isExact),
    rank: Math.max(...sets.map((set) => set.rank)),
    isRange: areDisjoint && sets.every((set) => set.isRange),
    isOrdered: false,
    scans: countScans(sets),
    isCompound: true,
  }
}

function uniteInParts(sets: readonly RecordSet[], areDisjoint: boolean): RecordSet[] {
  const parts: RecordSet[] = []
  for (let begin = 0; begin < sets.length; begin += MAX_MEMBERS)
    parts.push(unite(sets.slice(begin, begin + MAX_MEMBERS), areDisjoint))
  return parts
}

function countScans(sets: readonly RecordSet[]): number {
  return sets.reduce((total, set) => total + set.scans, 0)
}
