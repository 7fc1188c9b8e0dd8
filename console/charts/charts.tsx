// Small charts of home: completeness over time, and changes of records. Loaded after the rest of home.
import { Shown } from '../kit/states.tsx'
import type { ChartsPanelProps } from '../state/panel-props.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/words.ts'
import { Bars } from './bars.tsx'
import { completenessOf, type CountedDay, throughputOf } from './chart-data.ts'
import { Lines } from './lines.tsx'
import { useShownScopes } from './shown-scopes.ts'

export function Charts({ schema, matrix, counts }: ChartsPanelProps) {
  const { model } = useConsole()
  const query = useChartData(schema.id)
  const counted = counts.data.value
  const choice = useShownScopes(schema.id, matrix, counted)
  const states = model.workspace.value?.workflows.get(schema.workflowId)?.states ?? []
  const stateId = matrix?.stateId ?? states.at(-1)?.id ?? ''
  const state = model.stateName(schema.workflowId, stateId)
  return (
    <Shown query={query} class="charts" isLive>
      {({ items, today }) => {
        const bars = throughputOf(items, stateId, today)
        const now = choice.shown.length === 0 ? undefined : { total: counted!.total, complete: choice.shown }
        const lines = now && completenessOf(items, stateId, now, today)
        if (counted?.total === 0 && items.length === 0) return null
        if (bars === undefined) return <p class="hint">{t('home.soon')}</p>
        return (
          <>
            {lines !== undefined && <Lines state={state} completeness={lines} choice={choice} />}
            <Bars state={state} days={bars} />
          </>
        )
      }}
    </Shown>
  )
}

interface ChartData {
  readonly items: readonly CountedDay[]
  /** In UTC. */
  readonly today: string
}

function useChartData(schemaId: string) {
  const { call } = useConsole()
  return useQuery(`home charts ${schemaId}`, async (signal): Promise<ChartData> => {
    const { items } = (await call('GET /api/v1/statistics/days', { query: { schemaId }, signal })).body
    return { items, today: new Date().toISOString().slice(0, 10) }
  })
}
