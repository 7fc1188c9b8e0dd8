// Large JSON: from strangers, and from a caller who sends the largest allowed bodies on many connections.
import type { Attack, Target } from './attack.ts'

const CLIENTS = 8
const ROUNDS = 3
const LARGE = 10 * 1024 ** 2 - 1024
const MAX_VALUES = 200_000
const SCHEMA_ID = 'sch-large'

/** Returns about as many bytes as a body may have. */
function filledWith(part: string): string {
  return part.repeat(Math.floor(LARGE / part.length))
}

/** Sends each of `bodies` in turn, eight at a time. Resolves to the number of responses by status. */
async function sendAll(
  { port, adminKey }: Target,
  requests: readonly { path: string; type?: string; key?: boolean; body: string }[],
): Promise<string> {
  const counts = new Map<string, number>()
  const client = async (first: number): Promise<void> => {
    for (let index = first; index < ROUNDS * requests.length + first; index += 1) {
      const { path, type = 'application/json', key = true, body } = requests[index % requests.length]!
      const headers = { 'content-type': type, ...(key ? { 'x-service-apikey': adminKey } : {}) }
      const outcome = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return String(answer.status)
        },
        () => 'cut off',
      )
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
}

async function makeSchema(target: Target): Promise<void> {
  const attributes = [
    { alias: 'long', dataType: 'text' },
    { alias: 'any', dataType: 'json' },
    { alias: 'amount', dataType: 'number' },
  ]
  await target.send('POST', '/api/v1/schemas', { id: SCHEMA_ID, name: 'Large', attributes })
}

const record = (alias: string, value: string): string =>
  `{"schemaId":"${SCHEMA_ID}","values":{"${alias}":[{"scope":{},"value":${value}}]}}`

/** Nearly as many values as a body may hold, each object with its own shape: the slowest input for `JSON.parse`. */
const oddObjects = (): string =>
  `[${Array.from({ length: MAX_VALUES / 3 - 10 }, (_, index) => `{"a${index}":1,"b${index}":2}`).join(',')}]`

export const strangersJson: Attack = {
  name: 'large JSON of strangers',
  longestWait: 500,
  run: (target) =>
    sendAll(
      target,
      ['[', '{},', '{"a":', ' '].flatMap((part) =>
        ['/api/v1/auth/login', '/api/v1/records', '/nowhere'].map((path) => ({
          path,
          key: false,
          body: `[${filledWith(part)}`,
        })),
      ),
    ),
}

export const refusedJson: Attack = {
  name: 'large JSON that is refused while it is read',
  longestWait: 500,
  run: (target) =>
    sendAll(
      target,
      ['[', '{},', '"a",', '[[1]],'].map((part) => ({ path: '/api/v1/records', body: `[${filledWith(part)}` })),
    ),
}

export const refusedParsedJson: Attack = {
  name: 'large JSON at its limits that is refused when it is parsed',
  longestWait: 1000,
  run: (target) =>
    sendAll(target, [
      { path: '/api/v1/schemas', body: `{"name":"A","attributes":[${'{},'.repeat(MAX_VALUES - 10)}{}]}` },
      { path: '/api/v1/records', body: `[${'9007199254740993,'.repeat(MAX_VALUES - 10)}1]` },
      { path: '/api/v1/search', body: `{"criteria":${oddObjects()},"criteriaOperator":"and"}` },
    ]),
}

export const legalJson: Attack = {
  name: 'large JSON at its limits',
  longestWait: 1000,
  prepare: makeSchema,
  run: (target) =>
    sendAll(target, [
      { path: '/api/v1/records', body: record('long', `"${'x'.repeat(LARGE - 200)}"`) },
      { path: '/api/v1/records', body: record('long', `"${'\\u0142'.repeat((LARGE - 200) / 6)}"`) },
      { path: '/api/v1/records', body: record('any', oddObjects()) },
      { path: '/api/v1/records', body: `{"ignored":${oddObjects()},${record('amount', '1').slice(1)}` },
    ]),
}

export const largeLines: Attack = {
  name: 'imports of large lines',
  longestWait: 1000,
  prepare: makeSchema,
  run: (target) => {
    const path = '/api/v1/records/import'
    const type = 'application/x-ndjson'
    const lines = [
      filledWith('['),
      filledWith('{},'),
      record('any', oddObjects()),
      record('long', `"${'x'.repeat(LARGE - 200)}"`),
    ]
    return sendAll(target, [
      { path, type, body: lines.slice(0, 2).join('\n') },
      { path, type, body: lines.slice(2).join('\n') },
      { path, type: 'text/csv', body: `id,schemaId,long\n${filledWith(',')}\n"${filledWith('""')}"` },
    ])
  },
}
