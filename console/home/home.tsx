// Home: the state of the catalogue. Each number links to exactly the counted records.
import { createElement } from 'preact'
import { Select } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { LoadingLine, Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { useLatePanel, usePanel } from '../state/panels.ts'
import type { SeenSchema } from '../state/model.ts'
import { t } from '../words/words.ts'
import { CompletenessTable, useCounts, useMatrix } from './completeness-table.tsx'
import { chooseSchema } from './overview.ts'
import { OwnWork } from './own-work.tsx'
import { States } from './states.tsx'
import { Work } from './work.tsx'
import { RecordLedger } from '../kit/record-ledger.tsx'

export function Home() {
  const { model, preferences, router } = useConsole()
  const schemas = model.schemas.value
  const schema = chooseSchema(schemas, router.query.value['schema'], preferences.ofPlace('schema'))
  const choose = (id: string) => {
    preferences.setPlace('schema', id)
    router.setQuery({ schema: id })
  }
  return (
    <>
      <PlaceHead title={t('place.home')}>
        {schema !== undefined && schemas.length > 1 && (
          <Select
            label={t('schema')}
            value={schema.id}
            choices={schemas.map((one) => ({ id: one.id, name: model.nameOf(one) }))}
            onChange={choose}
          />
        )}
      </PlaceHead>
      {schema === undefined ? <Beginning /> : <Overview key={schema.id} schema={schema} />}
    </>
  )
}

/** The ways to begin, loaded when the workspace is empty. */
function Beginning() {
  const panel = usePanel('welcome', true)
  return panel === undefined ? <LoadingLine isBusy /> : createElement(panel, {})
}

function Overview({ schema }: { readonly schema: SeenSchema }) {
  const matrix = useMatrix(schema)
  const counts = useCounts(schema, matrix)
  const charts = useLatePanel('charts')
  return (
    <div class="page home">
      <div class="home-column">
        <States schema={schema} />
        <OwnWork />
        <LastChanged schema={schema} />
      </div>
      <div class="home-column">
        <CompletenessTable schema={schema} matrix={matrix} counts={counts} />
        <Work />
        {charts !== undefined && createElement(charts, { schema, matrix, counts })}
      </div>
    </div>
  )
}

const SHOWN = 8
/** The number of records in which changes of others are searched: a search for all changes would read every record. */
const READ = 24

/** The latest changes of other people; if only this person has made changes, this person's changes. */
function LastChanged({ schema }: { readonly schema: SeenSchema }) {
  const { call, model } = useConsole()
  const me = model.me.value?.id
  const query = useQuery(`home changed ${schema.id}`, async (signal) => {
    const sort = [{ field: 'updatedAt', direction: 'desc' }] as const
    const body = {
      criteria: [],
      criteriaOperator: 'and',
      schemaId: schema.id,
      sort,
      limit: READ,
      total: false,
    } as const
    const latest = (await call('POST /api/v1/search', { body, signal })).body
    const ofOthers = latest.filter(({ updatedBy }) => updatedBy !== me)
    return (ofOthers.length > 0 ? ofOthers : latest).slice(0, SHOWN)
  })
  const found = query.data.value
  if (found?.length === 0) return null
  const title = t(found?.[0]?.updatedBy === me ? 'home.lastChanged' : 'home.changedByOthers')
  return (
    <section>
      <h2>{title}</h2>
      <Shown query={query} isLive>
        {(records) => <RecordLedger label={title} records={records} />}
      </Shown>
    </section>
  )
}
