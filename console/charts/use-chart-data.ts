// Reads the counted days.
import { useConsole, useQuery } from '../state/context.ts'
import type { CountedDay } from './chart-data.ts'

interface ChartData {
  readonly items: readonly CountedDay[]
  /** In UTC. */
  readonly today: string
}

export function useChartData(schemaId: string) {
  const { call } = useConsole()
  return useQuery(`home charts ${schemaId}`, async (signal): Promise<ChartData> => {
    const { items } = (await call('GET /api/v1/statistics/days', { query: { schemaId }, signal })).body
    return { items, today: new Date().toISOString().slice(0, 10) }
  })
}
