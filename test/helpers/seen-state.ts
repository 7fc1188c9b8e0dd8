// Reads all that a user sees of records, so that tests can tell that something was given back as it was.
import assert from 'node:assert/strict'
import { send } from './answers.ts'
import type { Client } from './client.ts'

async function ask<Body>(client: Client, path: string, body: object): Promise<Body> {
  const answer = await send<Body>(client, 'POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export type SeenRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/**
 * All records with what is derived from them, by their IDs, but for what each write changes: times and versions.
 * @param aliases attributes whose values are counted
 */
export async function readSeen(
  client: Client,
  aliases: readonly string[],
): Promise<{ readonly records: readonly SeenRecord[]; readonly facets: unknown; readonly texts: unknown }> {
  const query = { criteria: [], criteriaOperator: 'and' }
  const include = ['categories', 'effectiveValues', 'completeness', 'variantCount']
  const found = await ask<SeenRecord[]>(client, '/api/v1/search', { ...query, include })
  const records = found
    .map(({ updatedAt: _at, updatedBy: _by, version: _version, ...rest }) => rest as SeenRecord)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const fields = ['lifecycleStateId', 'categoryId', 'completeness'].map((field) => ({ field }))
  const facets = [...aliases.map((attributeAlias) => ({ attributeAlias })), ...fields]
  const texts = await ask<SeenRecord[]>(client, '/api/v1/search', { ...query, text: 'a', select: [] })
  return {
    records,
    facets: await ask(client, '/api/v1/search/facets', { ...query, facets }),
    texts: texts.map(({ id }) => id).toSorted(),
  }
}
