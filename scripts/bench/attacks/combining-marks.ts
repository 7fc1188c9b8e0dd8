// Texts of combining marks alone, alternating two marks that must be sorted: as names of options, headers, values and
// in searches.
import type { Attack, Target } from './attack.ts'

const SCHEMA_ID = 'sch-marked'
const PROFILE_ID = 'prf-marked'
const MARKS = '\u0316\u0301'

export interface MarksOptions {
  /** Marks of each text. */
  readonly marks: number
  readonly clients: number
  readonly milliseconds: number
}

export function combiningMarks({ marks, clients, milliseconds }: MarksOptions): Attack {
  return {
    name: `texts of ${marks} combining marks`,
    longestWait: 500,
    prepare: makeModel,
    async run(target) {
      const end = performance.now() + milliseconds
      const text = MARKS.repeat(marks / MARKS.length)
      const statuses = (
        await Promise.all(Array.from({ length: clients }, (_, n) => sendUntil(target, text, end, n)))
      ).flat()
      return `${statuses.filter((status) => status < 500).length} of ${statuses.length} answers`
    },
  }
}

async function makeModel(target: Target): Promise<void> {
  const options = [{ id: 'red', name: 'Rot' }]
  const attributes = [
    { alias: 'text', dataType: 'text' },
    { alias: 'color', dataType: 'select', options },
  ]
  await target.send('POST', '/api/v1/schemas', { id: SCHEMA_ID, name: 'Marked', attributes })
  await target.send('POST', '/api/v1/import-profiles', {
    id: PROFILE_ID,
    name: 'Marked',
    schemaId: SCHEMA_ID,
    mode: 'upsert',
    emptyCells: 'keep',
    columns: [
      { header: 'id', to: { field: 'id' } },
      { header: 'color', to: { attributeAlias: 'color' }, with: ['optionName'] },
    ],
  })
}

async function sendUntil({ port, adminKey }: Target, text: string, end: number, client: number): Promise<number[]> {
  const criteria = [{ attributeAlias: 'text', operator: 'contains', value: text }]
  const record = { schemaId: SCHEMA_ID, values: { text: [{ scope: {}, value: text }] } }
  const requests = [
    [`records/import?profile=${PROFILE_ID}`, 'text/csv', `id,color\nmarked,${text}\n`],
    [`imports?fileName=a.csv&schemaId=${SCHEMA_ID}`, 'text/csv', `id,${text}\nmarked,1\n`],
    ['records', 'application/json', JSON.stringify(record)],
    ['search', 'application/json', JSON.stringify({ criteria, criteriaOperator: 'and', limit: 1 })],
  ] as const
  const statuses: number[] = []
  for (let count = client; performance.now() < end; count += 1) {
    const [path, type, body] = requests[count % requests.length]!
    const headers = { 'x-service-apikey': adminKey, 'content-type': type }
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}
