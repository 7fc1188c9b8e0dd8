// A role learns nothing of values that it may not read: whatever it asks, two workspaces that differ in these values alone give the same
// answers. What may differ by the contract stands in `ALLOWED`. `hidden-values-drawn.test.ts` draws requests.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OpenApiDocument } from '../../src/http/openapi/document-model.ts'
import { send } from '../helpers/answers.ts'
import { itLong } from '../helpers/long.ts'
import { WRITES } from '../helpers/twins/writes.ts'
import { ALLOWED, ALLOWED_OF_HISTORY, TELLS_HISTORY } from '../helpers/twins/allowed.ts'
import { BULK } from '../helpers/twins/bulk.ts'
import { EXPORTS } from '../helpers/twins/exports.ts'
import { IMPORTS } from '../helpers/twins/imports.ts'
import { MODEL, RENAMING } from '../helpers/twins/model-changes.ts'
import { readsOf } from '../helpers/twins/reads.ts'
import { SEARCHES } from '../helpers/twins/searches.ts'
import { TALK } from '../helpers/twins/talk.ts'
import { furnish, tighten } from '../helpers/twins/things.ts'
import {
  eventsOf,
  findLeak,
  type Request,
  startTwins,
  type Twins,
  untilQuiet,
  type Who,
} from '../helpers/twins/twins.ts'
import { fillTwin, type Flavour, keepDigests, ROLE } from '../helpers/twins/workspace.ts'

/** Differences that are told; what comes of one may be many more. */
const MOST = 10
/** They go on after their answer. */
const BEGINS = /^(?!GET).*(?:bulk-jobs|dry-run|run$|trigger|detach|rename)/

class Inquiry {
  readonly twins: Twins
  readonly #flavour: Flavour
  readonly leaks: string[] = []

  constructor(twins: Twins, flavour: Flavour) {
    this.twins = twins
    this.#flavour = flavour
  }

  async ask(who: Who, requests: readonly Request[]): Promise<void> {
    const isOfHistory = this.#flavour === 'history'
    const allowed = isOfHistory ? ALLOWED_OF_HISTORY : ALLOWED
    for (const request of requests) {
      if (this.leaks.length === MOST) return
      if (isOfHistory && TELLS_HISTORY.test(request.path)) continue
      const leak = await findLeak(this.twins, who, request, allowed)
      if (leak !== undefined) this.leaks.push(leak)
      if (BEGINS.test(`${request.method} ${request.path}`)) await untilQuiet(this.twins)
    }
  }

  async reads(): Promise<Request[]> {
    const { body } = await send<OpenApiDocument>(this.twins[0].admin, 'GET', '/api/v1/openapi.json')
    return readsOf(body)
  }
}

async function withTwins(
  flavour: Flavour,
  jobs: readonly string[] | undefined,
  run: (inquiry: Inquiry) => Promise<void>,
): Promise<void> {
  const { twins, stop } = await startTwins((admin, side) => fillTwin(admin, side, flavour), ROLE)
  try {
    await keepDigests(twins)
    await furnish(twins, jobs)
    const inquiry = new Inquiry(twins, flavour)
    await run(inquiry)
    assert.equal(inquiry.leaks.join('\n\n'), '')
  } finally {
    await stop()
  }
}

/** With nothing after its path. */
const isPlain = ({ path }: Request): boolean => !path.includes('?')

describe('Whatever is hidden, the answers are the same', { timeout: 1_200_000 }, () => {
  it('to reads, searches, writes, imports and previews', () =>
    withTwins('values', [], async (inquiry) => {
      await inquiry.ask('key', (await inquiry.reads()).filter(isPlain))
      for (const requests of [SEARCHES.filter((_, n) => n % 8 === 0), MODEL, TALK, WRITES, IMPORTS])
        await inquiry.ask('person', requests)
    }))

  for (const flavour of ['values', 'presence', 'history', 'rules'] as const)
    itLong(`to every read and every door, for other ${flavour}`, () =>
      withTwins(flavour, undefined, async (inquiry) => {
        if (flavour === 'rules') await tighten(inquiry.twins)
        for (const who of ['key', 'person'] as const) await inquiry.ask(who, await inquiry.reads())
        for (const requests of [SEARCHES, MODEL, TALK, EXPORTS]) await inquiry.ask('person', requests)
        if (flavour !== 'presence') await inquiry.ask('person', RENAMING)
        for (const requests of [IMPORTS, BULK, WRITES]) await inquiry.ask('person', requests)
        for (const who of ['key', 'person'] as const) await inquiry.ask(who, await inquiry.reads())
        if (flavour === 'history') return
        const [events, others] = await eventsOf(inquiry.twins, ALLOWED)
        assert.ok(events.length > 100, `only ${events.length} events`)
        assert.deepEqual(events.filter((text) => !others.includes(text)).slice(0, MOST), [])
        assert.equal(events.length, others.length)
      }),
    )
})
