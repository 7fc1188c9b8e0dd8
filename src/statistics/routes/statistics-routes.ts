// The endpoint of the counts of days, and its shapes. Contract 5 §6.
import * as v from 'valibot'
import { JsonStream, reply } from '../../http/answers/replies.ts'
import { route } from '../../http/route.ts'
import type { CountedDays } from '../statistics.ts'
import { DaysQuery, DayShape } from '../rules/day-count.ts'

export const DayCountsShape = v.object({
  schemaId: v.string(),
  items: v.array(DayShape),
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
