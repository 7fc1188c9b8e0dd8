// The number of records per state, and the transitions that the user may take.
import { stageOf, StateRing } from '../kit/state-mark.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { recordsAddress, writeAddress } from '../state/addresses.ts'
import { useConsole, useQuery } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import { inTurns } from '../state/turns.ts'
import { number, t } from '../words/words.ts'
import { tasksFor } from './overview.ts'
import { LinkButton } from '../kit/button.tsx'

export function States({ schema }: { readonly schema: SeenSchema }) {
  const { call, model } = useConsole()
  const query = useQuery(`home states ${schema.id}`, async (signal) => {
    const body = {
      criteria: [],
      criteriaOperator: 'and' as const,
      schemaId: schema.id,
      facets: [{ field: 'lifecycleStateId' as const }],
    }
    return (await call('POST /api/v1/search/facets', { body, signal })).body
  })
  const workflow = model.workspace.value?.workflows.get(schema.workflowId)
  return (
    <Shown query={query} class="home-states" isLive>
      {({ total, facets }) => {
        if (total === 0) return <NoRecords schemaId={schema.id} />
        const counts = new Map(facets[0]?.values?.map(({ value, count }) => [value, count]))
        return (
          <>
            <h2>
              <span dir="auto">{model.nameOf(schema)}</span>{' '}
              <a href={recordsAddress({ schemaId: schema.id })}>{t('records', { count: total })}</a>
            </h2>
            <Lifecycle schema={schema} states={workflow?.states ?? []} counts={counts} total={total} />
            <Room />
            <News />
            <Tasks schema={schema} />
          </>
        )
      }}
    </Shown>
  )
}

/** The number of unread notices. */
function News() {
  const count = useConsole().live.unread.value
  if (count === 0) return null
  return <a href={writeAddress({ place: 'for-me' })}>{t('nav.unread', { count })}</a>
}

interface LifecycleProps {
  readonly schema: SeenSchema
  readonly states: readonly { readonly id: string; readonly name: string }[]
  /** Records by state. */
  readonly counts: ReadonlyMap<unknown, number>
  readonly total: number
}

/** The number of records in each state, as numbers and as parts of one bar. */
function Lifecycle({ schema, states, counts, total }: LifecycleProps) {
  const { model } = useConsole()
  const countOf = (id: string): number => counts.get(id) ?? 0
  return (
    <>
      <div class="state-shares" aria-hidden="true">
        {states.map(({ id }, at) => (
          <span key={id} class={`state-ring ${stageOf(at, states.length)}`} style={{ flexGrow: countOf(id) / total }} />
        ))}
      </div>
      <ol class="figures">
        {states.map((state, at) => (
          <li key={state.id}>
            <a href={recordsAddress({ schemaId: schema.id, stateId: state.id })}>
              <StateRing at={at} count={states.length} /> <span dir="auto">{model.nameOf(state)}</span>{' '}
              <strong>{number(countOf(state.id))}</strong>
            </a>
          </li>
        ))}
      </ol>
    </>
  )
}

function Tasks({ schema }: { readonly schema: SeenSchema }) {
  const { call, model } = useConsole()
  const workflow = model.workspace.value?.workflows.get(schema.workflowId)
  const tasks = workflow === undefined ? [] : tasksFor(model.me.value?.roleId ?? '', workflow)
  const query = useQuery(`home tasks ${schema.id}`, (signal) =>
    inTurns(
      tasks.map(({ transition, where }) => async () => {
        const state = { field: 'lifecycleStateId', operator: 'equals', value: transition.fromStateId } as const
        const criteria = [state, ...where] as never
        const body = { criteria, criteriaOperator: 'and', schemaId: schema.id, limit: 1, select: [] } as const
        return (await call('POST /api/v1/search', { body, signal })).total ?? 0
      }),
      2,
    ),
  )
  if (tasks.length === 0) return null
  return (
    <section class="tasks">
      <h3>{t('home.forYou')}</h3>
      <Shown query={query} isLive>
        {(counts) => (
          <ul>
            {tasks.map(({ transition, where }, index) => {
              const count = counts[index] ?? 0
              const { id, fromStateId: stateId } = transition
              const href = recordsAddress({ schemaId: schema.id, stateId, where })
              const state = model.stateName(schema.workflowId, stateId)
              if (count === 0) return null
              return (
                <li key={id}>
                  <a href={href}>{t('home.mayMove', { count, state, transition: model.nameOf(transition) })}</a>
                </li>
              )
            })}
            {counts.every((count) => count === 0) && <li class="quiet">{t('home.nothingForYou')}</li>}
          </ul>
        )}
      </Shown>
    </section>
  )
}

/** The number of all records, and the limit. Contract 3 §4 (the limit of records). */
function Room() {
  const max = useConsole().model.me.value?.workspace.maxRecords ?? null
  return max === null ? null : <Limited max={max} />
}

function Limited({ max }: { readonly max: number }) {
  const { call } = useConsole()
  const query = useQuery(
    'home room',
    async (signal) => (await call('GET /api/v1/records', { query: { limit: 1 }, signal })).body.total,
  )
  return (
    <Shown query={query} isLive>
      {(count) => <p class={count < max ? 'hint' : 'warning'}>{t('home.room', { count, max })}</p>}
    </Shown>
  )
}

/** A schema without records: how to get the first ones. */
function NoRecords({ schemaId }: { readonly schemaId: string }) {
  const { model } = useConsole()
  if (!model.may('records.create')) return <Empty icon="records" title={t('home.noRecords')} />
  const add = writeAddress({ place: 'records', query: { schema: schemaId, new: '1' } })
  return (
    <Empty
      icon="records"
      title={t('home.noRecords')}
      action={
        <p class="row">
          <LinkButton kind="main" icon="add" href={add}>
            {t('addRecord')}
          </LinkButton>
          <LinkButton icon="imports" href={writeAddress({ place: 'imports' })}>
            {t('home.importFile')}
          </LinkButton>
        </p>
      }
    >
      <p>{t('home.noRecordsHelp')}</p>
    </Empty>
  )
}
