// Changes of the model that all records of a large schema must follow: values are dropped, an attribute becomes unique,
// and a segment is removed.
import type { Attack, Target } from './attack.ts'

const SCHEMA = '/api/v1/schemas/sch-large'
const DIMENSION = '/api/v1/dimensions/dim-large'
const TEXTS = ['color', 'material', 'supplier', 'origin', 'season', 'line', 'fit', 'care']

const text = (alias: string, more: object = {}): object => ({ alias, dataType: 'text', ...more })
const kept = TEXTS.map((alias) => text(alias))
const schema = (...attributes: object[]): object => ({ name: 'Large', attributes: [...attributes, ...kept] })
const name = text('name', { dimensionIds: ['dim-large'] })
const segments = (...ids: string[]): object => ({ name: 'Language', segments: ids.map((id) => ({ id })) })

interface Answer {
  readonly id: string
  /** Kind of a bulk job. */
  readonly kind?: string
  readonly status: string
  readonly completedAt: string | null
}

/** @param records number of records to change */
export function longModelChange(records: number): Attack {
  return {
    name: `changes of the model over ${records.toLocaleString('en')} records`,
    longestWait: 500,

    async prepare(target) {
      await target.send('POST', '/api/v1/dimensions', { id: 'dim-large', ...segments('en', 'de', 'fr') })
      await target.send('POST', '/api/v1/schemas', { id: 'sch-large', ...schema(name, text('sku'), text('note')) })
      await importRecords(target, records)
    },

    async run(target) {
      const unique = text('sku', { unique: true })
      const steps = [
        ['unique', () => target.send<Answer>('PUT', SCHEMA, schema(name, unique, text('note')))],
        ['dropped', () => target.send<Answer>('PUT', `${SCHEMA}?dropValues=true`, schema(name, unique))],
        ['a segment', () => target.send<Answer>('PUT', DIMENSION, segments('en', 'de'))],
      ] as const
      const told: string[] = []
      for (const [what, change] of steps) {
        const begun = performance.now()
        const { id, kind } = await change()
        if (kind === 'schema') await untilEnded(target, id)
        told.push(`${what} after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
      }
      return told.join(', ')
    },
  }
}

async function untilEnded(target: Target, id: string): Promise<void> {
  for (;;) {
    const { completedAt, status } = await target.send<Answer>('GET', `/api/v1/bulk-jobs/${id}?wait=20`)
    if (completedAt === null) continue
    if (status !== 'succeeded') throw new Error(`The job ${id} is ${status}`)
    return
  }
}

/** Imports records of about 1 KB each. */
async function importRecords({ port, adminKey }: Target, records: number): Promise<void> {
  const lines = Array.from({ length: records }, (_, index) => {
    const values = Object.fromEntries(
      [...TEXTS, 'note'].map((alias) => [alias, [{ scope: {}, value: `${alias} ${index % 97} of what is in stock` }]]),
    )
    const names = ['en', 'de'].map((segment) => ({
      scope: { 'dim-large': segment },
      value: `Record ${index} ${segment}`,
    }))
    return JSON.stringify({ values: { ...values, name: names, sku: [{ scope: {}, value: `SKU-${index}` }] } })
  })
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/records/import?mode=create&schemaId=sch-large`, {
    method: 'POST',
    headers: { 'x-service-apikey': adminKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  const result = (await response.json()) as { created?: number }
  if (result.created !== records) throw new Error(`Of ${records} records ${JSON.stringify(result)} were made`)
}
