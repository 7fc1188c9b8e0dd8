// The endpoint of the counts of days. Contract 5 §6.
import { route } from '../../http/route.ts'
import { DayCountsShape, DaysQuery } from './statistics-shapes.ts'

export const statisticsRoutes = [
  route({
    id: 'statistics.days',
    method: 'GET',
    path: '/api/v1/statistics/days',
    summary: 'Read how many records a schema had on each day, and what happened to records',
    description: 'One server counts once a day. Days without a count are left out.',
    access: 'records.read',
    query: DaysQuery,
    responses: { 200: DayCountsShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, query, services }) => services.statistics.days(caller, query),
  }),
]
