// Home: the state of the catalogue. Each number links to exactly the counted records.
import { createElement } from 'preact'
import { Select } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { LoadingLine } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { useLatePanel, usePanel } from '../state/panels.ts'
import type { SeenSchema } from '../state/model.ts'
import { t } from '../words/words.ts'
import { CompletenessTable, useCounts, useMatrix } from './completeness-table.tsx'
import { LastChanged } from './last-changed.tsx'
import { chooseSchema } from './overview.ts'
import { OwnWork } from './own-work.tsx'
import { States } from './states.tsx'
import { Work } from './work.tsx'

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
