// Contract 2 §8: what operators watch.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { send } from '../../helpers/answers.ts'
import { atOneServer, type Client } from '../../helpers/client.ts'
import { assertGuarded } from '../../helpers/ladder.ts'
import { everywhere, makeShirt, startWorkspace, type Workspace } from '../../helpers/shirts.ts'
import { withoutSqlite } from '../../helpers/tested-database.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

async function readMetrics(client: Client): Promise<Map<string, number>> {
  const response = await fetch(`${client.url}/metrics`, { headers: client.headers })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

describe('metrics.read: GET /metrics', () => {
  it('is refused without a credential, and to a role without metrics.read', async () => {
    await assertGuarded(shop, { method: 'GET', path: '/metrics' }, 'metrics.read')
  })

  it('counts requests by route as it is declared, with their times', async () => {
    const { id } = await makeShirt(shop.admin, { weight: everywhere(1) })
    const count = 'pimlet_http_request_duration_seconds_count{method="GET",route="/api/v1/records/:id",status="200"}'
    const admin = atOneServer(shop.admin)
    const before = (await readMetrics(admin)).get(count) ?? 0
    await send(admin, 'GET', `/api/v1/records/${id}`)
    await send(admin, 'GET', `/api/v1/records/${id}`)
    const now = await readMetrics(admin)
    assert.equal(now.get(count), before + 2)
    assert.ok(now.get(count.replace('_count{', '_bucket{').replace('}', ',le="+Inf"}'))! >= 2)
  })

  it('counts a path that does not exist as unknown, so that clients cannot make up series', async () => {
    const admin = atOneServer(shop.admin)
    await send(admin, 'GET', '/api/v1/made-up')
    const names = [...(await readMetrics(admin)).keys()]
    assert.ok(names.some((name) => name.includes('route="unknown",status="404"')))
    assert.ok(!names.some((name) => name.includes('made-up')))
  })

  it('shows the writer, the readers, the search index, exports, the log, the event loop and the process', async () => {
    const admin = atOneServer(shop.admin)
    await makeShirt(admin, {})
    const metrics = await readMetrics(admin)
    assert.ok(metrics.get('pimlet_commit_transactions_count')! > 0)
    if (withoutSqlite === false) assert.ok(metrics.get('pimlet_wal_bytes')! > 0)
    for (const name of [
      'pimlet_writer_queue_transactions',
      'pimlet_search_index_behind_changes',
      'pimlet_reader_tasks',
      'pimlet_export_runs_running',
    ])
      assert.ok(metrics.get(name)! >= 0, name)
    assert.ok(metrics.get('nodejs_eventloop_lag_p99_seconds')! > 0)
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'process_open_fds',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_heap_space_size_used_bytes{space="old"}',
      'nodejs_active_handles_total',
    ])
      assert.ok(metrics.get(name)! > 0, name)
    assert.equal(metrics.get('pimlet_build_info{version="0.0.0-test"}'), 1)
  })
})
