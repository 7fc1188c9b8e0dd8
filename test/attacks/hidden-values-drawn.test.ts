// Drawn requests of a limited caller, between those of an administrator who writes other hidden values at each of two servers: the caller
// gets the same answers from both. `TEST_OPERATIONS=10000` asks more, `TEST_SEED` something else.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { drawOperations } from '../helpers/random-operations.ts'
import { type Answered, type Operation, pathOf, remember, rememberNothing } from '../helpers/random-requests.ts'
import { drawer } from '../helpers/random-values.ts'
import { defineExports, defineModel } from '../helpers/random-workspace.ts'
import { make } from '../helpers/shirts.ts'
import { ALLOWED } from '../helpers/twins/allowed.ts'
import { asAdmin, HIDDEN_DRAWN, withoutHidden } from '../helpers/twins/draws.ts'
import { ALL_PERMISSIONS, ROLE } from '../helpers/twins/workspace.ts'
import {
  clock,
  describeLeak,
  describeRequest,
  startTwins,
  tell,
  type Told,
  type Twin,
  type Twins,
  untilQuiet,
  without,
} from '../helpers/twins/twins.ts'

const OPERATIONS = Number(process.env['TEST_OPERATIONS'] ?? 2000)
const SEED = Number(process.env['TEST_SEED'] ?? 1)
/** Differences that are told; what comes of one may be many more. */
const MOST = 8
/** They select, or find a text, by hidden values: what an administrator's own request of these changes differs, and is no leak. */
const OF_CALLER = new Set(['bulk', 'undo'])
const OF_ADMIN = new Set([
  'changeSchema',
  'changeOther',
  'changeWorkflow',
  'changeDimension',
  'changeMarket',
  'rename',
  'makeSchema',
  'deleteSchema',
])

interface Sent {
  readonly operation: Operation
  readonly isAdmin: boolean
  /** Whether the caller tries to write what is hidden. */
  readonly isBold: boolean
}

describe('The answers to a limited caller', { timeout: 3_600_000 }, () => {
  let twins: Twins
  let stop: () => Promise<unknown> = async () => {}
  const answered: readonly Answered[] = [rememberNothing(), rememberNothing()]
  before(async () => {
    const started = await startTwins(async (admin) => {
      await defineModel(admin)
      const none = Object.entries(HIDDEN_DRAWN).map(([schemaId, aliases]) => [
        schemaId,
        Object.fromEntries(aliases.filter((alias) => alias !== 'marks').map((alias) => [alias, 'none'])),
      ])
      await make(admin, '/api/v1/roles', {
        id: ROLE,
        name: 'Limited',
        permissions: ALL_PERMISSIONS,
        defaultAttributePermission: 'write',
        attributePermissions: Object.fromEntries(none),
      })
    }, ROLE)
    ;({ twins, stop } = started)
    for (const { admin, directory } of twins) await defineExports(admin, directory)
  })
  after(() => stop())

  async function send(twin: Twin, { operation, isAdmin, isBold }: Sent): Promise<[Told, string]> {
    const known = answered[twin.side]!
    const path = pathOf(operation, known)
    const drawn = operation.bodyOf === undefined ? operation.body : operation.bodyOf(known)
    const body = isAdmin ? asAdmin(operation, path, drawn, twin.side) : isBold ? drawn : withoutHidden(drawn)
    const request = { ...operation, path, body }
    const told = await tell(twin, isAdmin ? twin.admin : twin.callers.key, request, (response, text) => {
      const cursor = response.headers.get('x-next-cursor')
      if (cursor !== null && !isAdmin) known.next = { cursor, request: { ...operation, path, body } }
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
      remember(known, path, response, json)
      if (operation.isJob === true && response.status === 202) known.jobs.push((json as { id: string }).id)
    })
    return [without(told, request, ALLOWED), describeRequest(request)]
  }

  it(`are the same whatever is hidden, ${OPERATIONS} of them`, async (t) => {
    const draw = drawer(SEED + 1000)
    const statuses = new Map<string, number>()
    const leaks: string[] = []
    let done = 0
    for (const operation of drawOperations(SEED)) {
      if ((done += 1) > OPERATIONS || leaks.length === MOST) break
      clock.now += 1000
      const isAdmin = OF_ADMIN.has(operation.kind) || (!OF_CALLER.has(operation.kind) && draw.chance(0.4))
      const sent = { operation, isAdmin, isBold: draw.chance(0.1) }
      const [one, other] = await Promise.all(twins.map((twin) => send(twin, sent)))
      if (operation.isJob === true || operation.isRun === true) await untilQuiet(twins)
      if (isAdmin)
        assert.equal(
          one![0].status,
          other![0].status,
          `the twins part at ${one![1]}: ${one![0].body} ${other![0].body}`,
        )
      const leak = isAdmin ? undefined : describeLeak(one![0], other![0], `Request ${done} of seed ${SEED}: ${one![1]}`)
      if (leak !== undefined) leaks.push(leak)
      const seen = `${isAdmin ? 'admin' : 'caller'} ${operation.kind} ${one![0].status}`
      statuses.set(seen, (statuses.get(seen) ?? 0) + 1)
    }
    assert.equal(leaks.join('\n\n'), '')
    t.diagnostic(
      [...statuses]
        .map(([seen, times]) => `${seen}: ${times}`)
        .toSorted()
        .join(', '),
    )
  })
})
