// The costliest schema that can be saved: the most combinations and criteria, and texts that differ only at their end.
// Every reader may request completeness again and again.
import type { Attack, Target } from './attack.ts'

const SCHEMA_ID = 'sch-costly'
const RECORD_ID = 'ent-costly'
const STATE_ID = 'state-published'
const DIMENSIONS = Array.from({ length: 8 }, (_, index) => `costly-${index}`)
const SEGMENTS = ['a', 'b', 'c']
const GUARDED = 3
const CRITERIA = 50

export interface Costs {
  /** Milliseconds that the attack lasts. */
  readonly milliseconds: number
  /** Clients with a request at the same time. */
  readonly clients: number
  /** Characters of the text that all guards search. */
  readonly text: number
}

export function costlyCompleteness(costs: Costs): Attack {
  return {
    name: 'completeness of the costliest schema',
    longestWait: 1000,
    prepare: (target) => makeSchema(target, costs),
    async run(target) {
      const end = performance.now() + costs.milliseconds
      const answers = await Promise.all(Array.from({ length: costs.clients }, (_, n) => askUntil(target, end, n)))
      const statuses = answers.flat()
      return `${statuses.filter((status) => status < 500).length} of ${statuses.length} answers`
    },
  }
}

async function makeSchema(target: Target, { text }: Costs): Promise<void> {
  for (const id of DIMENSIONS)
    await target.send('POST', '/api/v1/dimensions', {
      id,
      name: id,
      segments: SEGMENTS.map((segment) => ({ id: segment })),
    })
  const wide = { dataType: 'text', dimensionIds: DIMENSIONS }
  const required = { ...wide, requiredInStateIds: [STATE_ID] }
  await target.send('POST', '/api/v1/schemas', {
    id: SCHEMA_ID,
    name: 'Costly',
    attributes: [
      { ...wide, alias: 'asked' },
      ...Array.from({ length: GUARDED }, (_, n) => ({ ...required, alias: `guarded${n}`, guard: guardOf(n) })),
      ...Array.from({ length: 12 }, (_, n) => ({ ...required, alias: `plain${n}` })),
    ],
    combinations: Array.from({ length: 10_000 }, (_, n) => combinationOf(n)),
  })
  const values = { asked: [{ scope: {}, value: 'a'.repeat(text) }] }
  await target.send('POST', '/api/v1/records', { id: RECORD_ID, schemaId: SCHEMA_ID, values })
  await target.send('POST', `/api/v1/records/${RECORD_ID}/transition`, { transitionId: 'tr-submit' })
}

/** Each criterion searches another text, whose first half occurs everywhere. */
function guardOf(attribute: number): object {
  const half = 'a'.repeat(8000)
  const criteria = Array.from({ length: CRITERIA }, (_, n) => ({
    attributeAlias: 'asked',
    operator: 'contains',
    value: `${half}${attribute * CRITERIA + n}${half}`,
  }))
  return { criteriaOperator: 'or', criteria }
}

/** Names some of the dimensions, different ones each time. */
function combinationOf(n: number): object {
  const named = DIMENSIONS.filter((_, index) => ((n >> index) & 1) === 1)
  return Object.fromEntries(named.map((id, index) => [id, SEGMENTS[(n + index) % 3]]))
}

async function askUntil({ port, adminKey }: Target, end: number, client: number): Promise<number[]> {
  const record = `http://127.0.0.1:${port}/api/v1/records/${RECORD_ID}`
  const headers = { 'x-service-apikey': adminKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ transitionId: 'tr-publish' })
  const asks = [
    () => fetch(`${record}/completeness?stateId=${STATE_ID}`, { headers }),
    () => fetch(`${record}/transitions`, { headers }),
    () => fetch(`${record}/transition`, { method: 'POST', headers, body }),
  ]
  const statuses: number[] = []
  for (let count = client; performance.now() < end; count += 1) {
    const response = await asks[count % asks.length]!()
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
