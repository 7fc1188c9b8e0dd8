// An import is read, and then its jobs, one of which may end between the two.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Call } from '../../../console/api/call.ts'
import { readImport } from '../../../console/imports/read-import.ts'

/** A server at which the rehearsal ends after the import was read so many times. */
function serverWhere(endsAfter: number): { readonly call: Call; readonly asked: string[] } {
  const asked: string[] = []
  const reads = (): number => asked.filter((route) => route.includes('/imports/')).length
  const call = async (route: string) => {
    const before = reads()
    asked.push(route)
    const isRunning = before < endsAfter
    if (route.includes('/imports/')) return { body: { status: isRunning ? 'running' : 'ready', jobIds: ['job-1'] } }
    return { body: { id: 'job-1', dryRun: true, status: isRunning ? 'running' : 'succeeded' } }
  }
  return { call: call as unknown as Call, asked }
}

describe('An import that is read', () => {
  const read = async (endsAfter: number) => {
    const { call, asked } = serverWhere(endsAfter)
    const { found, jobs } = await readImport(call, 'import-1', new AbortController().signal)
    return { status: found.status, job: jobs[0]!.status, asked: asked.length }
  }

  it('is not under way any more where its job has ended just after it was read', async () => {
    assert.deepEqual(await read(1), { status: 'ready', job: 'succeeded', asked: 4 })
  })

  it('is read once where its job goes on, or had ended before', async () => {
    assert.deepEqual(await read(2), { status: 'running', job: 'running', asked: 2 })
    assert.deepEqual(await read(0), { status: 'ready', job: 'succeeded', asked: 2 })
  })
})
