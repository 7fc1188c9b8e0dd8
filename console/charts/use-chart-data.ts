// Reads the counted days, and counts the complete records of now.
import type { Matrix } from '../../src/statistics/rules/completeness-matrix.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { inTurns } from '../state/turns.ts'
import { type CountedDay, isDrawn, MAX_LINES, type Now } from './chart-data.ts'

interface ChartData {
  readonly items: readonly CountedDay[]
  /** Undefined: nothing is required. */
  readonly now: Now | undefined
  /** In UTC. */
  readonly today: string
}

export function useChartData(schemaId: string, matrix: Matrix | undefined) {
  const { call } = useConsole()
  return useQuery(`home charts ${schemaId}`, async (signal): Promise<ChartData> => {
    const { items } = (await call('GET /api/v1/statistics/days', { query: { schemaId }, signal })).body
    const count = async (criteria: readonly object[]) => {
      const body = { criteria, criteriaOperator: 'and', schemaId, limit: 1, select: [] } as const
      return (await call('POST /api/v1/search', { body: body as never, signal })).total ?? 0
    }
    const today = new Date().toISOString().slice(0, 10)
    // Nobody waits for numbers that have no line to end.
    if (matrix === undefined || !items.some((item) => isDrawn(item, today))) return { items, now: undefined, today }
    const cells = (matrix.cells[0] ?? []).filter((cell) => cell !== null).slice(0, MAX_LINES)
    const [total = 0, ...counts] = await inTurns(
      [() => count([]), ...cells.map((cell) => () => count(cell.complete))],
      2,
    )
    return { items, today, now: { total, complete: cells.map(({ scope }, at) => ({ scope, count: counts[at]! })) } }
  })
}
