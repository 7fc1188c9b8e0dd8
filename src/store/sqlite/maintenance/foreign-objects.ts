// Finds objects in a database's schema that pimlet did not make. Triggers and views run unnoticed; a changed table
// stores or refuses wrong rows. The catalog of SQLite is compared with `schema.sql`.
import { readDatabaseSchema } from '../../../kernel/executable/assets.ts'
import type { ForeignObject } from '../../maintenance-port.ts'
import { type Connection, openInMemory } from '../connection.ts'
import { migrate, newestVersion, versionOf } from '../migrate.ts'

interface SchemaRow {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

/** Finds foreign objects, without reading rows. @param besides SQL of further objects that belong to the schema */
export function findForeignObjects(db: Connection, besides = ''): ForeignObject[] {
  const found = upgraded(readSchema(db), versionOf(db))
  const made = makeSchema(besides)
  const foreign = found.flatMap((row) => describe(row, made.get(keyOf(row))))
  const names = new Set(found.map(keyOf))
  const missing = [...made.values()].filter((row) => !names.has(keyOf(row)))
  return [...foreign, ...missing.map((row) => wrong(`${row.type} ${row.name}, which is missing`))]
}

function describe({ type, name, tbl_name, sql }: SchemaRow, made: SchemaRow | undefined): ForeignObject[] {
  if (made !== undefined) return made.sql === sql ? [] : [wrong(`${type} ${name}, which is not as pimlet makes it`)]
  const isVirtual = /^\s*create\s+virtual/i.test(sql)
  if (type === 'trigger' || type === 'index')
    return [{ description: `${type} ${name} on ${tbl_name}`, isHarmless: type === 'index' }]
  return [{ description: `${type} ${name}`, isHarmless: type === 'table' && !isVirtual }]
}

function wrong(description: string): ForeignObject {
  return { description, isHarmless: false }
}

/** Names that only SQLite may use belong to its own tables and indexes. An object without text is part of its table. */
function readSchema(db: Connection): SchemaRow[] {
  const rows = db
    .prepare<[], SchemaRow>('SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid')
    .all()
  return rows.filter(
    ({ type, name, sql }) => sql !== null && !(['table', 'index'].includes(type) && name.startsWith('sqlite_')),
  )
}

/** Returns the schema that an upgrade of an older version would make: the upgrade runs on empty tables. */
function upgraded(rows: SchemaRow[], version: number): SchemaRow[] {
  if (version >= newestVersion()) return rows
  const own = rows.filter(({ type, sql }) => ['table', 'index'].includes(type) && !/^\s*create\s+virtual/i.test(sql))
  const db = openInMemory()
  try {
    // `prepare` refuses a text with more than one statement.
    for (const { sql } of own) db.prepare(sql).run()
    db.pragma(`user_version = ${version}`)
    migrate(db)
    return [...readSchema(db), ...rows.filter((row) => !own.includes(row))]
  } catch {
    // The comparison with the present version reports these objects.
    return rows
  } finally {
    db.close()
  }
}

function makeSchema(besides: string): Map<string, SchemaRow> {
  const db = openInMemory()
  try {
    db.exec(readDatabaseSchema() + besides)
    return new Map(readSchema(db).map((row) => [keyOf(row), row]))
  } finally {
    db.close()
  }
}

function keyOf({ type, name }: SchemaRow): string {
  return `${type} ${name}`
}
