// The endpoint of the counts of days, and its shapes. Contract 5 §6.
import * as v from 'valibot'
import { JsonStream, reply } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'
import type { CountedDays } from '../statistics.ts'
import { Day } from '../../collaboration/rules/assignment.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { KEEP_DAYS } from '../rules/day-count.ts'

const DaysQuery = exactObject({
  schemaId: v.string('must be a string'),
  from: v.optional(v.pipe(Day, v.description('The first day, in UTC. Default: 89 days before `to`.'))),
  to: v.optional(
    v.pipe(Day, v.description(`The last day, in UTC; at most ${KEEP_DAYS} days with the first. Default: today.`)),
  ),
})

const StateCounts = v.array(v.object({ stateId: v.string(), count: v.number() }))

const StockShape = v.object({
  countedAt: Timestamp,
  records: v.pipe(v.number(), v.description('All records of the schema, variants included.')),
  states: v.pipe(StateCounts, v.description('Records by state.')),
  stateId: v.pipe(v.nullable(v.string()), v.description('The state that records are complete for; null: none.')),
  complete: v.pipe(
    v.nullable(v.array(v.object({ scope: ScopeShape, count: v.number() }))),
    v.description('Complete records by scope, at most 24. null: your role may not read every attribute.'),
  ),
})

export const DayCountsShape = v.object({
  schemaId: v.string(),
  items: v.array(
    v.object({
      day: v.pipe(v.string(), v.description('In UTC.')),
      stock: v.pipe(
        v.nullable(StockShape),
        v.description('The records when they were counted on this day; null: they were not counted.'),
      ),
      created: v.pipe(v.number(), v.description('Created records.')),
      updated: v.pipe(v.number(), v.description('Changes of values; a record may be changed several times.')),
      deleted: v.pipe(v.number(), v.description('Deleted records.')),
      entered: v.pipe(StateCounts, v.description('Transitions, by the state that they led to.')),
    }),
  ),
})

export const statisticsRoutes = [
  route({
    id: 'statistics.days',
    endpoint: 'GET /api/v1/statistics/days',
    summary: 'Read how many records a schema had on each day, and what happened to records',
    description: 'One server counts once a day. Days without a count are left out.',
    access: 'records.read',
    query: DaysQuery,
    responses: { 200: DayCountsShape },
    errors: ['NOT_FOUND'],
    handler: async ({ caller, query, services }) =>
      reply(new JsonStream(textsOf(await services.statistics.days(caller, query))), {}),
  }),
]

async function* textsOf({ schemaId, pieces }: CountedDays): AsyncGenerator<string, void> {
  let separator = `{"schemaId":${JSON.stringify(schemaId)},"items":[`
  for await (const days of pieces) {
    if (days.length === 0) continue
    yield separator + days.map((day) => JSON.stringify(day)).join(',')
    separator = ','
  }
  yield separator === ',' ? ']}' : `${separator}]}`
}
