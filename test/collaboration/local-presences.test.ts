// Presence in memory: one place for each person, for a time, and never more people than there is room for.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LocalPresences, MinuteCounts } from '../../src/collaboration/local-presences.ts'
import { MAX_PER_MINUTE, MAX_PRESENT, PRESENCE_LASTS } from '../../src/collaboration/rules/present-person.ts'

const at = (userId: string, recordId: string) => ({ userId, recordId, attributeAlias: null })

describe('Presence in memory', () => {
  it('is where each person said last, within its time, whatever they do', async () => {
    const who = fc.constantFrom('anna', 'ben', 'constructor', '__proto__')
    const where = fc.constantFrom('assam', 'ceylon', 'constructor')
    const step = fc.oneof(
      fc.record({ does: fc.constant('put' as const), who, where }),
      fc.record({ does: fc.constant('leave' as const), who }),
      fc.record({ does: fc.constant('wait' as const), for: fc.integer({ min: 1, max: PRESENCE_LASTS }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        let now = 0
        const presences = new LocalPresences(() => now)
        const expected = new Map<string, { where: string; until: number }>()
        for (const one of steps) {
          if (one.does === 'wait') now += one.for
          if (one.does === 'leave') {
            await presences.leave(one.who)
            expected.delete(one.who)
          }
          if (one.does !== 'put') continue
          await presences.put(at(one.who, one.where))
          expected.set(one.who, { where: one.where, until: now + PRESENCE_LASTS })
        }
        const found = await presences.among(['assam', 'constructor'], 100)
        const wanted = [...expected].filter(([, { where: place, until }]) => until > now && place !== 'ceylon')
        assert.deepEqual(
          new Map(found.map(({ userId, recordId }) => [userId, recordId])),
          new Map(wanted.map(([userId, { where: place }]) => [userId, place])),
        )
      }),
    )
  })

  it('forgets the person who came first when there is no room, and ends an answer at its limit', async () => {
    const presences = new LocalPresences(() => 0)
    for (let one = 0; one <= MAX_PRESENT; one += 1) await presences.put(at(`user-${one}`, 'assam'))
    const found = await presences.among(['assam'], MAX_PRESENT * 2)
    assert.equal(found.length, MAX_PRESENT)
    assert.ok(found.every(({ userId }) => userId !== 'user-0'))
    assert.equal((await presences.among(['assam'], 3)).length, 3)
  })

  it('counts the requests of each person in a minute, and says when the next begins', () => {
    let now = 30_000
    const counts = new MinuteCounts(() => now)
    for (let one = 0; one < MAX_PER_MINUTE; one += 1) assert.equal(counts.take('anna'), undefined)
    assert.equal(counts.take('anna'), 30)
    assert.equal(counts.take('ben'), undefined)
    now = 60_000
    assert.equal(counts.take('anna'), undefined)
  })
})
