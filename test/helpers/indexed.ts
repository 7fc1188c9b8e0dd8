// Waits for the search index.
import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** Waits until the index contains everything that is committed; fails after a minute. */
export async function untilIndexed({ url, headers }: Client): Promise<void> {
  const end = performance.now() + 60_000
  while (performance.now() < end) {
    const metrics = await (await fetch(`${url}/metrics`, { headers })).text()
    if (/^pimlet_search_index_behind_changes 0$/m.test(metrics)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('the search index does not catch up')
}
