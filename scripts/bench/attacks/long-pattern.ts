// Slow patterns: a single one, many values with patterns in one write, and such writes on many connections.
import type { Attack } from './attack.ts'

const SCHEMA_ID = 'sch-patterns'
const DIMENSION_ID = 'dim-patterns'
const SEGMENTS = 100
const CLIENTS = 4
const ROUNDS = 6
/** Compiles to 203 instructions, all active for every letter. */
const COSTLY = '(\\p{L}\\p{N}?){40}[^a-z]'
const FAR_TOO_COSTLY = ['(\\p{L}\\p{N}?){400}[^a-z]', '(a{30}){33}'.repeat(90), '(\\p{L}{9}){111}'.repeat(60)]

export const longPatterns: Attack = {
  name: 'patterns that take long',
  longestWait: 500,
  async prepare(target) {
    const segments = Array.from({ length: SEGMENTS }, (_, index) => ({ id: `s${index}` }))
    await target.send('POST', '/api/v1/dimensions', { id: DIMENSION_ID, name: 'Patterns', segments })
    const attributes = [
      { alias: 'text', dataType: 'text', dimensionIds: [DIMENSION_ID], validation: { pattern: COSTLY } },
    ]
    await target.send('POST', '/api/v1/schemas', { id: SCHEMA_ID, name: 'Patterns', attributes })
  },
  async run({ port, adminKey }) {
    const counts = new Map<string, number>()
    const post = async (path: string, body: string, type = 'application/json'): Promise<void> => {
      const headers = { 'x-service-apikey': adminKey, 'content-type': type }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      counts.set(String(answer.status), (counts.get(String(answer.status)) ?? 0) + 1)
    }
    const record = (texts: readonly string[]): string => {
      const values = texts.map((value, index) => ({ scope: { [DIMENSION_ID]: `s${index}` }, value }))
      return JSON.stringify({ schemaId: SCHEMA_ID, values: { text: values } })
    }
    const long = record(['a'.repeat(500_000)])
    const longest = record(['a'.repeat(4800)])
    const many = record(Array.from({ length: SEGMENTS }, () => 'ab'.repeat(1000) + '!'))
    const client = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const body of [long, longest, many]) await post('/api/v1/records', body)
        const attributes = FAR_TOO_COSTLY.map((pattern, index) => ({
          alias: `a${index}`,
          dataType: 'text',
          validation: { pattern },
        }))
        for (const attribute of attributes)
          await post('/api/v1/schemas', JSON.stringify({ name: 'P', attributes: [attribute] }))
        await post(
          '/api/v1/records/import',
          Array.from({ length: 20 }, () => longest).join('\n'),
          'application/x-ndjson',
        )
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
  },
}
