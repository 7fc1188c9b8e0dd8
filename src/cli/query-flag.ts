// The flag `--query` of commands that work on the results of a search. Contract 3 §8.
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { getJson } from './client.ts'
import { assertKnownInSearch, assertListed, readVisibleModel } from './assert-known.ts'

/** Members of a saved query that select its records. */
const SEARCHED = ['criteria', 'criteriaOperator', 'schemaId', 'text', 'textMode']

/** Returns the search of the flag: given as JSON, or that of a saved query. @throws UsageError, StartError */
export async function readQuery(connection: Connection, query: string): Promise<object> {
  if (query.trimStart().startsWith('{')) {
    const search = parseSearch(query)
    const model = await readVisibleModel(connection)
    if (model !== undefined) assertKnownInSearch(model, '--query', search)
    return search
  }
  await assertListed(connection, '/api/v1/saved-queries', '--query', 'saved query', query)
  const path = `/api/v1/saved-queries/${encodeURIComponent(query)}`
  const saved = await getJson<Record<string, unknown>>(connection, path)
  return Object.fromEntries(Object.entries(saved).filter(([name]) => SEARCHED.includes(name)))
}

/** @throws UsageError */
function parseSearch(query: string): Record<string, unknown> {
  try {
    return JSON.parse(query) as Record<string, unknown>
  } catch (error) {
    throw new UsageError('--query is neither the ID of a saved query nor JSON', { cause: error })
  }
}
