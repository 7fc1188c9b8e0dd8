// Jobs that the footer shows. B2.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Call } from '../../../console/api/call.ts'
import { Unreachable } from '../../../console/api/failures.ts'
import { type Job, Jobs } from '../../../console/state/jobs.ts'
import { makeTabs } from '../fake-browser.ts'

const job = (id: string, changes: Partial<Job> = {}) =>
  ({ id, status: 'running', ownerId: 'me', createdAt: `2026-01-0${id}`, done: 0, selected: 9, ...changes }) as Job

describe('Running jobs', () => {
  it('B2 are taken up again, followed to their end and then forgotten', async () => {
    const browser = makeTabs().open()
    const answers: (Job | Error)[] = [
      job('1', { done: 5 }),
      new Unreachable(new Error()),
      job('1', { status: 'succeeded' }),
    ]
    const call = (async (name: string) => {
      if (name === 'GET /api/v1/bulk-jobs')
        return { body: [job('1'), job('2', { ownerId: 'other' }), job('3', { status: 'failed' })] }
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return { body: answer }
    }) as unknown as Call
    const jobs = new Jobs(call, browser)
    await jobs.load('me')
    assert.deepEqual(
      jobs.list.value.map(({ id }) => id),
      ['1'],
    )
    // A failed request is repeated.
    await browser.pass(5000)
    await browser.pass(1)
    assert.equal(jobs.list.value[0]?.status, 'succeeded')
    await browser.pass(8000)
    assert.deepEqual(jobs.list.value, [])
  })
})
