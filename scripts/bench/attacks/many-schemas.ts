// Hundreds of large schemas, one of which is replaced again and again, so that all readers wait for the model.
import type { Attack, Target } from './attack.ts'

export interface Crowd {
  readonly schemas: number
  /** Attributes of each schema. */
  readonly attributes: number
  /** Milliseconds that the attack lasts. */
  readonly milliseconds: number
  /** Clients that write at the same time. */
  readonly clients: number
}

export function manySchemas(crowd: Crowd): Attack {
  return {
    name: `one of ${crowd.schemas} schemas replaced again and again`,
    longestWait: 500,
    async prepare(target) {
      for (let n = 0; n < crowd.schemas; n += 1)
        await target.send('POST', '/api/v1/schemas', { id: `sch-many-${n}`, ...schemaOf(n, crowd) })
    },
    async run(target) {
      const end = performance.now() + crowd.milliseconds
      const counts = await Promise.all(
        Array.from({ length: crowd.clients }, (_, client) => replaceUntil(target, end, client, crowd)),
      )
      return `${counts.reduce((sum, count) => sum + count, 0)} replacements`
    },
  }
}

async function replaceUntil(target: Target, end: number, client: number, crowd: Crowd): Promise<number> {
  let count = 0
  for (; performance.now() < end; count += 1)
    await target.send('PUT', `/api/v1/schemas/sch-many-${client}`, schemaOf(count, crowd))
  return count
}

function schemaOf(n: number, { attributes }: Crowd): object {
  return {
    name: `Schema ${n}`,
    attributes: Array.from({ length: attributes }, (_, index) => ({
      alias: `a${index}`,
      name: `Attribute ${index} of ${n}`,
      dataType: 'select',
      options: Array.from({ length: 10 }, (_, option) => ({ id: `o${option}` })),
    })),
  }
}
