// `--query`, as commands that work on what a search finds take it. Contract 3 §8.
import type { Connection } from '../settings/places.ts'
import { UsageError } from '../machine/start-error.ts'
import { getJson } from './client.ts'

/** Members of a saved query that say which records it is for. */
const SEARCHED = ['criteria', 'criteriaOperator', 'schemaId', 'text', 'textMode']

/** The search that the flag means: one as JSON, or that of a saved query. @throws UsageError, StartError */
export async function readQuery(connection: Connection, query: string): Promise<object> {
  if (query.trimStart().startsWith('{')) {
    try {
      return JSON.parse(query) as object
    } catch (error) {
      throw new UsageError('--query is neither the ID of a saved query nor JSON', { cause: error })
    }
  }
  const path = `/api/v1/saved-queries/${encodeURIComponent(query)}`
  const saved = await getJson<Record<string, unknown>>(connection, path)
  return Object.fromEntries(SEARCHED.filter((name) => name in saved).map((name) => [name, saved[name]]))
}
