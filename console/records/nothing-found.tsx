// The message when nothing is found, with the filter whose removal finds the most. G8. Without any records: the first
// steps.
import type { Locale } from '../fields/field.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { t } from '../words/place.ts'
import { chipText } from '../filters/chip-text.ts'
import { type Chip, chipsOf, removableChips, toSelection, withoutChip } from '../filters/query.ts'
import type { RecordsState } from './records-state.ts'
import { useNaming } from '../filters/filter-chips.tsx'
import { writeAddress } from '../state/addresses.ts'

/** Parallel requests: a browser allows only six connections. */
const AT_ONCE = 2
const MOST_CHIPS = 12

export function NothingFound({ records, locale }: { readonly records: RecordsState; readonly locale: Locale }) {
  const { model, router } = useConsole()
  const query = records.query.value
  const naming = useNaming(records, locale)
  const isFiltered = chipsOf(query).length > 0 || query.variants === 'alone'
  const scope = records.scope.value
  const key = `nothing ${JSON.stringify([query, scope])}`
  const best = useQuery(key, async (signal) => {
    const counted: { readonly chip: Chip; readonly count: number }[] = []
    const chips = isFiltered ? removableChips(query).slice(0, MOST_CHIPS) : []
    for (let at = 0; at < chips.length; at += AT_ONCE)
      counted.push(
        ...(await Promise.all(
          chips.slice(at, at + AT_ONCE).map(async (chip) => ({
            chip,
            count: await records.count(toSelection(withoutChip(query, chip), scope), signal),
          })),
        )),
      )
    return counted.sort((one, other) => other.count - one.count)[0]
  })
  const schema = records.schema.value
  const isBare = schema?.attributes.length === 0
  if (!isFiltered)
    return (
      <Empty
        icon="records"
        title={t('records.none')}
        action={
          isBare
            ? model.may('model.write') && (
                <LinkButton kind="main" icon="add" href={writeAddress({ place: 'schemas', id: schema.id })}>
                  {t('imports.zipAddAttribute')}
                </LinkButton>
              )
            : model.may('records.create') && (
                <p class="row">
                  <Button kind="main" icon="add" onClick={() => router.setQuery({ new: '1' })}>
                    {t('addRecord')}
                  </Button>
                  <LinkButton icon="imports" href={writeAddress({ place: 'imports' })}>
                    {t('home.importFile')}
                  </LinkButton>
                </p>
              )
        }
      >
        <p>{t(isBare ? 'record.noAttributes' : 'records.noneHelp')}</p>
      </Empty>
    )
  const found = best.data.value
  return (
    <Empty
      icon="search"
      title={t('records.nothing')}
      action={
        found === undefined || found.count === 0 || naming === undefined ? undefined : (
          <Button kind="main" onClick={() => records.ask(withoutChip(records.query.peek(), found.chip))}>
            {t('records.nothingWithout', { chip: chipText(found.chip, naming), count: found.count })}
          </Button>
        )
      }
    />
  )
}

export function NoSchema() {
  const { model } = useConsole()
  return (
    <Empty
      icon="model"
      title={t('records.noSchema')}
      action={
        model.may('model.write') ? (
          <LinkButton kind="main" href={writeAddress({ place: '' })}>
            {t('start.begin')}
          </LinkButton>
        ) : undefined
      }
    >
      <p>{t('records.noSchemaHelp')}</p>
    </Empty>
  )
}
