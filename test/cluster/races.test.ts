// Requests to two servers of one workspace at the same moment, of which only one may succeed. TEST_RACES says how often.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, assertRefused, send } from '../helpers/answers.ts'
import { jobFor, makeJob, type RunBody, whenEnded } from '../helpers/export-jobs.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { installPuppet, puppetIn } from '../helpers/puppet.ts'
import { FEW_LANES, inLanes, LANES, RACES, SLOW_RACES } from '../helpers/races.ts'
import { SCHEMA, severalOn } from '../helpers/several-servers.ts'
import { sharedInSuite } from '../helpers/shared-in-suite.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

/** More than all races hold at a time. */
const MOST_RECORDS = 100
/** Milliseconds: about as long as a request takes until it has the lock. */
const MOST_DELAY = 20
const API = '/api/v1'

type Request = readonly [method: string, path: string, body?: object]

describe('Two servers of one workspace', { timeout: 600_000 + RACES * 5000, skip: withoutPostgres() }, () => {
  const shared = sharedInSuite(async (suite) => {
    const { url } = await makeDatabase()
    const pluginsDir = makeTempDirectory()
    installPuppet(pluginsDir)
    const several = severalOn(url, suite, ['--plugins-dir', pluginsDir, '--max-records', String(MOST_RECORDS)])
    const one = await several.start('one')
    const other = await several.start('other')
    return [one.admin, other.admin] as const
  })

  before(async () => {
    const attributes = [{ alias: 'sku', dataType: 'text', unique: true }]
    await make(shared()[0], `${API}/schemas`, { id: SCHEMA, name: 'Raced', attributes })
  })

  const recordOf = (sku: string, schemaId = SCHEMA): Request => [
    'POST',
    `${API}/records`,
    { schemaId, values: schemaId === SCHEMA ? { sku: everywhere(sku) } : {} },
  ]

  /** Sends one request to each server at once, or as good as: in turns either to either, and either first. */
  async function race(n: number, requests: readonly [Request, Request]): Promise<[Answer<Made>, Answer<Made>]> {
    const servers = n % 2 === 0 ? shared() : shared().toReversed()
    const later = n % 4 < 2 ? 1 : 0
    const sent = requests.map(async (request, at) => {
      if (at === later) await sleep(Math.random() * MOST_DELAY)
      return send<Made>(servers[at]!, ...request)
    })
    const [first, second] = await Promise.all(sent)
    return [first!, second!]
  }

  /** The other one was refused with `code`. @returns which one it was */
  async function raceForOne(n: number, requests: readonly [Request, Request], code: Refusal): Promise<[Made, number]> {
    const answers = await race(n, requests)
    const won = answers.findIndex(({ status }) => status < 300)
    assert.notEqual(won, -1, `none has succeeded: ${answers.map(({ text }) => text).join(' ')}`)
    assertRefused(answers[1 - won]!, code)
    return [answers[won]!.body, won]
  }

  async function remove(kind: string, id: string): Promise<void> {
    const answer = await send(shared()[0], 'DELETE', `${API}/${kind}/${id}`)
    assert.equal(answer.status, 204, answer.text)
  }

  it('give a unique value to one record', () =>
    inLanes(async (n) => {
      const [{ id }] = await raceForOne(n, [recordOf(`sku-${n}`), recordOf(`sku-${n}`)], 'CONFLICT')
      await remove('records', id)
    }))

  it('make an attribute unique, or take a second record with a value of it', async (t) => {
    let unique = 0
    await inLanes(async (n) => {
      const schema = (isUnique: boolean) => ({
        id: `sch-raced-${n}`,
        name: 'Raced',
        attributes: [{ alias: 'sku', dataType: 'text', unique: isUnique }],
      })
      const record = { schemaId: `sch-raced-${n}`, values: { sku: everywhere('the same') } }
      await make(shared()[n % 2]!, `${API}/schemas`, schema(false))
      const first = await make<Made>(shared()[n % 2]!, `${API}/records`, record)
      const [changed, made] = await race(n, [
        ['PUT', `${API}/schemas/sch-raced-${n}`, schema(true)],
        ['POST', `${API}/records`, record],
      ])
      const isChanged = changed.status === 200
      unique += isChanged ? 1 : 0
      assertRefused(isChanged ? made : changed, 'CONFLICT')
      if (!isChanged) assert.equal(made.status, 201, made.text)
      for (const id of isChanged ? [first.id] : [first.id, made.body.id]) await remove('records', id)
      await remove('schemas', `sch-raced-${n}`)
    })
    t.diagnostic(`${unique} of ${RACES} attributes became unique`)
  })

  it('delete a schema, or take a record of it', async (t) => {
    let deleted = 0
    await inLanes(async (n) => {
      const id = `sch-unused-${n}`
      await make(shared()[n % 2]!, `${API}/schemas`, { id, name: 'Unused', attributes: [] })
      const [gone, made] = await race(n, [['DELETE', `${API}/schemas/${id}`], recordOf('', id)])
      deleted += gone.status === 204 ? 1 : 0
      if (gone.status === 204) {
        assertRefused(made, 'VALIDATION_ERROR', 'schemaId')
        return
      }
      assertRefused(gone, 'CONFLICT')
      assert.equal(made.status, 201, made.text)
      await remove('records', made.body.id)
      await remove('schemas', id)
    })
    t.diagnostic(`${deleted} of ${RACES} schemas were deleted`)
  })

  it('move one of two categories below the other', async () => {
    const [{ id: catalogId }] = [await make<Made>(shared()[0], `${API}/catalogs`, { name: 'Raced' })]
    const pairs = await Promise.all(
      Array.from({ length: LANES }, () =>
        Promise.all(
          [1, 2].map((name) => make<Made>(shared()[0], `${API}/catalogs/${catalogId}/categories`, { name: `${name}` })),
        ),
      ),
    )
    const move = (id: string, parentId: string | null): Request => [
      'POST',
      `${API}/categories/${id}/move`,
      { parentId },
    ]
    await inLanes(async (n, lane) => {
      const [x, y] = pairs[lane]!.map(({ id }) => id) as [string, string]
      const [, won] = await raceForOne(n, [move(x, y), move(y, x)], 'VALIDATION_ERROR')
      const answer = await send(shared()[0], ...move([x, y][won]!, null))
      assert.equal(answer.status, 200, answer.text)
    })
  })

  it('leave one admin', async () => {
    const second = await make<Made>(shared()[0], `${API}/users`, {
      username: 'second',
      roleId: 'role-admin',
      password: PASSWORD,
    })
    const { body: users } = await send<(Made & { username: string })[]>(shared()[0], 'GET', `${API}/users`)
    const ids = [users.find(({ username }) => username === 'admin')!.id, second.id]
    const kinds = [{ roleId: 'role-viewer' }, { disabled: true }]
    await inLanes(async (n) => {
      const without = (id: string, kind: number): Request => ['PATCH', `${API}/users/${id}`, kinds[kind % 2]]
      const [, won] = await raceForOne(n, [without(ids[0]!, n), without(ids[1]!, n >> 1)], 'CONFLICT')
      const again = await send(shared()[0], 'PATCH', `${API}/users/${ids[won]!}`, {
        roleId: 'role-admin',
        disabled: false,
      })
      assert.equal(again.status, 200, again.text)
    }, 1)
  })

  it('begin one run of an export job', async () => {
    const stages = Array.from({ length: FEW_LANES }, () => puppetIn(makeTempDirectory()))
    const jobs = await Promise.all(
      stages.map((stage, n) => makeJob(shared()[0], jobFor(stage, 'waits', { name: `Job ${n}` }))),
    )
    await inLanes(
      async (n, lane) => {
        const trigger: Request = ['POST', `${API}/export-jobs/${jobs[lane]!.id}/trigger`]
        const [run] = await raceForOne(n, [trigger, trigger], 'CONFLICT')
        stages[lane]!.go()
        const ended = await whenEnded(shared()[n % 2]!, run as RunBody)
        assert.equal(ended.status, 'success', ended.error!)
        rmSync(path.join(stages[lane]!.directory, 'go'))
      },
      FEW_LANES,
      SLOW_RACES,
    )
  })

  it('take no more records than there may be', async () => {
    const [one] = shared()
    const operations = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        op: 'create',
        schemaId: SCHEMA,
        values: { sku: everywhere(`room-${n}`) },
      }))
    const filled = await send(one, 'POST', `${API}/records/batch`, { operations: operations(MOST_RECORDS - 1) })
    assert.equal(filled.status, 200, filled.text)
    await inLanes(async (n) => {
      const answers = (
        await Promise.all([1, 2, 3].map((more) => race(n, [recordOf(`one-${more}`), recordOf(`other-${more}`)])))
      ).flat()
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 1, answers.map(({ text }) => text).join(' '))
      for (const answer of answers) if (answer.status !== 201) assertRefused(answer, 'LIMIT_EXCEEDED')
      await remove('records', made[0]!.body.id)
    }, 1)
  })
})

const PASSWORD = 'a password of somebody'

interface Made {
  readonly id: string
}
type Refusal = Parameters<typeof assertRefused>[1]
