// The scopes whose lines a chart shows: each person chooses them, and the choice is stored by schema.
import type { Matrix } from '../../src/statistics/rules/completeness-matrix.ts'
import { own } from '../../src/kernel/own.ts'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { useConsole } from '../state/context.ts'
import type { Counted } from '../state/panel-props.ts'

/** The member of the preferences: by schema, keys of scopes in the order of the choice. */
const PLACE = 'charts'
/** The most stored schemas: preferences have a limit. */
const MAX_SCHEMAS = 50
/** The most lines of one chart. */
export const MAX_LINES = 5

interface CountedScope {
  readonly key: string
  readonly scope: Scope
  /** Complete records. */
  readonly count: number
}

export interface ScopeChoice {
  readonly all: readonly CountedScope[]
  /** In the order of `all`. */
  readonly shown: readonly CountedScope[]
  readonly toggle: (key: string) => void
}

export function useShownScopes(
  schemaId: string,
  matrix: Matrix | undefined,
  counted: Counted | undefined,
): ScopeChoice {
  const { preferences } = useConsole()
  const kept = (preferences.ofPlace(PLACE) ?? {}) as Readonly<Record<string, unknown>>
  const rows = countedRows(matrix, counted)
  const all = rows.flat()
  const keys = shownKeys(own(kept, schemaId), rows)
  const toggle = (key: string): void => {
    const others = Object.entries(kept).filter(([id]) => id !== schemaId)
    const next = [...others.slice(1 - MAX_SCHEMAS), [schemaId, toggled(keys, key)] as const]
    preferences.setPlace(PLACE, Object.fromEntries(next))
  }
  return { all, shown: all.filter(({ key }) => keys.includes(key)), toggle }
}

/** The combinations that count, by row of the matrix. */
function countedRows(matrix: Matrix | undefined, counted: Counted | undefined): CountedScope[][] {
  if (matrix === undefined || counted === undefined) return []
  return matrix.cells.map((row, at) =>
    row.flatMap((cell, column) => {
      if (cell === null) return []
      return { key: scopeKey(cell.scope), scope: cell.scope, count: counted.cells[at]?.[column] ?? 0 }
    }),
  )
}

/** Returns the stored scopes that still count; without any of them, the first scopes of the first row. */
export function shownKeys(kept: unknown, rows: readonly (readonly Pick<CountedScope, 'key'>[])[]): readonly string[] {
  const known = new Set(rows.flat().map(({ key }) => key))
  const chosen = Array.isArray(kept) ? kept.filter((key): key is string => known.has(key as string)) : []
  return (chosen.length > 0 ? chosen : (rows[0] ?? []).map(({ key }) => key)).slice(0, MAX_LINES)
}

/** Adds or removes a scope. A scope beyond the most lines replaces the scope that was chosen first. */
export function toggled(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key].slice(-MAX_LINES)
}
