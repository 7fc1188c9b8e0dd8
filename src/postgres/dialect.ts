// What PostgreSQL's SQL has in other words than that of other engines.
import type { Dialect, SqlType } from '../store/rows/session.ts'

const TYPES: Readonly<Record<SqlType, string>> = { text: 'text', integer: 'bigint', real: 'float8' }

export const POSTGRES: Dialect = {
  among: (expression, parameter) => `${expression} = ANY ($${parameter}::text[])`,
  each: (parameter) => `unnest($${parameter}::text[]) AS each (value)`,
  given: (name, columns) => {
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${TYPES[type]}[]`)
    return `unnest(${arrays.join(', ')}) AS ${name} (${Object.keys(columns).join(', ')})`
  },
  // By where they are: of a key it is not known that so few rows have it.
  isOneOf: (table, _key, which) => `ctid = ANY (ARRAY(SELECT ctid FROM ${table} ${which}))`,
  textOf: (document, member) => `(${document}::json) ->> '${member}'`,
}
