// Names and examples of the shapes of the counts of days.
import { component, type Components } from '../../http/openapi/component.ts'
import { DayCountsShape } from './statistics-routes.ts'

const stock = {
  countedAt: '2026-03-01T00:04:10.000Z',
  records: 120,
  states: [
    { stateId: 'draft', count: 80 },
    { stateId: 'published', count: 40 },
  ],
  stateId: 'published',
  complete: [{ scope: { language: 'de' }, count: 64 }],
}

export const statisticsComponents: Components = {
  DayCounts: component(DayCountsShape, {
    schemaId: 'sch-shirt',
    items: [
      {
        day: '2026-03-01',
        stock,
        created: 12,
        updated: 31,
        deleted: 0,
        entered: [{ stateId: 'published', count: 4 }],
      },
    ],
  }),
}
