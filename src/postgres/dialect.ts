// The dialect of PostgreSQL.
import type { Dialect, SqlType } from '../store/rows/session.ts'

const TYPES: Readonly<Record<SqlType, string>> = { text: 'text', integer: 'bigint', real: 'float8' }

type Columns = Parameters<Dialect['given']>[1]

function given(name: string, columns: Columns): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${TYPES[type]}[]`)
  return `unnest(${arrays.join(', ')}) AS ${name} (${Object.keys(columns).join(', ')})`
}

/** Matches characters of JSON that PostgreSQL cannot read as text: NUL, and surrogates, which only stand alone there. */
const UNREADABLE = String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`

export const POSTGRES: Dialect = {
  contains: (text, parameter) => `strpos(${text}, $${parameter}) > 0`,
  // One unreadable character anywhere fails the reading of every member.
  member: (json, name) => String.raw`(regexp_replace(${json}, '${UNREADABLE}', '\1?', 'gi')::json) ->> '${name}'`,
  among: (expression, parameter) => `${expression} = ANY ($${parameter}::text[])`,
  each: (parameter) => `unnest($${parameter}::text[]) AS each (value)`,
  given,
  update: (table, key, set, also) => {
    const sets = Object.keys(set).map((column) => `${column} = changed.${column}`)
    const isSame = Object.keys(key).map((column) => `${table}.${column} = changed.${column}`)
    return `UPDATE ${table} SET ${[...sets, also].join(', ')} FROM ${given('changed', { ...key, ...set })}
      WHERE ${isSame.join(' AND ')}`
  },
  remove: (table, key) => {
    const isSame = Object.keys(key).map((column) => `${table}.${column} = gone.${column}`)
    return `DELETE FROM ${table} USING ${given('gone', key)} WHERE ${isSame.join(' AND ')}`
  },
  // Finds rows by `ctid`: the planner does not know that so few rows have the key.
  isOneOf: (table, _key, which) => `ctid = ANY (ARRAY(SELECT ctid FROM ${table} ${which}))`,
}
