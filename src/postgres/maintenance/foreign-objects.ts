// Finds objects in the schema of a workspace that pimlet did not make: triggers, rules and policies change writes
// unnoticed. The catalogs of PostgreSQL are compared with the migrations.
import { readPostgresMigrations } from '../../kernel/executable/assets.ts'
import type { ForeignObject } from '../../store/maintenance-port.ts'
import type { Connection } from '../connection.ts'

/** Matches a statement that makes a table or an index. */
const MADE = /^CREATE (?:UNIQUE |UNLOGGED )?(?<kind>TABLE|INDEX) (?<name>\w+)/gm
/** Matches a statement that drops a table or an index. */
const DROPPED = /^DROP (?:TABLE|INDEX) (?:IF EXISTS )?(?<name>\w+)/gm

interface Found {
  readonly kind: string
  readonly name: string
  /** The table of the object; null: none. */
  readonly table: string | null
}

const HERE = `current_schema()::regnamespace`
/** The objects of an extension belong to the extension. */
const OF_EXTENSION = (catalog: string, row: string): string =>
  `EXISTS (SELECT 1 FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${row} AND deptype = 'e')`

/** The objects of constraints, and the sequences of columns, belong to their table. */
const FOUND = `
  SELECT CASE relkind WHEN 'i' THEN 'index' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence'
      WHEN 'f' THEN 'foreign table' ELSE 'table' END AS kind, relname AS name,
    (SELECT indrelid::regclass::text FROM pg_index WHERE indexrelid = pg_class.oid) AS "table"
    FROM pg_class WHERE relnamespace = ${HERE} AND relkind IN ('r', 'p', 'i', 'I', 'v', 'm', 'S', 'f')
     AND NOT ${OF_EXTENSION('pg_class', 'pg_class.oid')}
     AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = pg_class.oid AND contype IN ('p', 'u'))
     AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'i'
                       AND relkind = 'S')
  UNION ALL SELECT 'function', proname, NULL FROM pg_proc WHERE pronamespace = ${HERE} AND NOT ${OF_EXTENSION('pg_proc', 'pg_proc.oid')}
  UNION ALL SELECT 'trigger', tgname, tgrelid::regclass::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = ${HERE} AND NOT tgisinternal
  UNION ALL SELECT 'rule', rulename, ev_class::regclass::text FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
    WHERE relnamespace = ${HERE} AND relkind IN ('r', 'p')
  UNION ALL SELECT 'row security', relname, relname FROM pg_class WHERE relnamespace = ${HERE} AND relrowsecurity`

/** Objects that change the effect of statements. */
const HARMFUL = new Set(['trigger', 'rule', 'row security'])

export async function findForeignObjects(connection: Connection): Promise<ForeignObject[]> {
  const found = await connection.rows<Found>(
    `SELECT kind::text, name::text, "table" FROM (${FOUND}) AS found ORDER BY 1, 2`,
  )
  const made = madeObjects()
  const foreign = found.filter(({ kind, name }) => made.get(name) !== kind)
  const names = new Set(found.map(({ kind, name }) => `${kind} ${name}`))
  const missing = [...made].filter(([name, kind]) => !names.has(`${kind} ${name}`))
  return [
    ...foreign.filter(({ kind, table }) => !HARMFUL.has(kind) || isMade(table, made)).map(describe),
    ...missing.map(([name, kind]) => ({ description: `${kind} ${name}, which is missing`, isHarmless: false })),
  ]
}

/** Returns the made objects: name → kind. */
function madeObjects(): ReadonlyMap<string, string> {
  const made = new Map<string, string>()
  for (const { sql } of readPostgresMigrations()) {
    for (const { groups } of sql.matchAll(DROPPED)) made.delete(groups!['name']!)
    for (const { groups } of sql.matchAll(MADE)) made.set(groups!['name']!, groups!['kind']!.toLowerCase())
  }
  return made
}

/** Objects on other tables belong to the owner of those tables. */
function isMade(table: string | null, made: ReadonlyMap<string, string>): boolean {
  return table !== null && made.get(table) === 'table'
}

function describe({ kind, name, table }: Found): ForeignObject {
  const on = table === null || table === name ? '' : ` on ${table}`
  return { description: `${kind} ${name}${on}`, isHarmless: !HARMFUL.has(kind) }
}
