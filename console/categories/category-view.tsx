// The records of a category in their order, or also those of all categories below.
import { LinkButton } from '../kit/button.tsx'
import { useMemo } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { MoreButton } from '../kit/more-button.tsx'
import { useRecordFinder } from '../kit/record-field.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { ancestorsOf, type CountedCategory } from './category-tree.ts'
import { orderByDrop, orderByKey } from './record-order.ts'
import { RecordRows } from './record-rows.tsx'
import { useCategoryRecords } from './use-category-records.ts'

interface CategoryViewProps {
  readonly category: CountedCategory
  readonly categories: readonly CountedCategory[]
}

export function CategoryView({ category, categories }: CategoryViewProps) {
  const { model, router } = useConsole()
  const includeChildren = router.query.value['below'] === '1'
  const canOrder = model.may('categories.write') && !includeChildren
  const { records, isBusy, nameOf, move, change, orderByName } = useCategoryRecords(category, includeChildren)
  return (
    <>
      <CategoryHead category={category} categories={categories} />
      {canOrder && (
        <CategoryTools
          canSort={(category.counts?.direct ?? 0) > 1}
          isBusy={isBusy}
          onPutIn={(id, name) => void change(id, name, true)}
          onSort={() => void orderByName()}
        />
      )}
      <Shown query={records.query} isLive>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="records"
              title={t('categories.empty')}
              action={<LinkButton href={writeAddress({ place: 'records' })}>{t('place.records')}</LinkButton>}
            >
              <p>{t('categories.emptyHelp')}</p>
            </Empty>
          ) : (
            <>
              <RecordRows
                records={items}
                canOrder={canOrder}
                onKey={(id, key) => void move(id, (list, hasMore) => orderByKey(list, id, key, hasMore))}
                onDrop={(id, target) => void move(id, (list, hasMore) => orderByDrop(list, id, target, hasMore))}
                onRemove={(record) => void change(record.id, nameOf(record), false)}
              />
              <MoreButton paged={records} />
            </>
          )
        }
      </Shown>
    </>
  )
}

/** The name, and the choice between the records of this category alone and of all below. */
function CategoryHead({ category, categories }: CategoryViewProps) {
  const { model, router } = useConsole()
  const { id, counts } = category
  const path = useMemo(() => pathOf(category, categories, (one) => model.nameOf(one)), [category, categories])
  return (
    <header class="category-head">
      <div class="grow">
        {path !== '' && <small class="quiet">{path}</small>}
        <h2 dir="auto">{model.nameOf(category)}</h2>
      </div>
      {counts?.total !== counts?.direct && (
        <Segmented
          label=""
          value={router.query.value['below'] === '1' ? 'below' : 'own'}
          choices={[
            { id: 'own', name: t('categories.own', { count: counts?.direct ?? 0 }) },
            { id: 'below', name: t('categories.withBelow', { count: counts?.total ?? 0 }) },
          ]}
          onChange={(value) => router.setQuery({ below: value === 'below' ? '1' : undefined })}
        />
      )}
      <a class="button quiet" href={writeAddress({ place: 'records', query: { cat: id } })}>
        {t('categories.inSheet')}
      </a>
    </header>
  )
}

function CategoryTools(props: {
  readonly canSort: boolean
  readonly isBusy: boolean
  readonly onPutIn: (recordId: string, name: string) => void
  readonly onSort: () => void
}) {
  const suggest = useRecordFinder()
  return (
    <div class="category-tools">
      <Combobox
        label={t('categories.putIn')}
        placeholder={t('categories.putIn')}
        options={suggest}
        value={null}
        onChange={(option) => option !== null && props.onPutIn(option.id, option.name)}
      />
      {props.canSort && (
        <Button icon="sort" isBusy={props.isBusy} onClick={props.onSort}>
          {t('categories.orderByName')}
        </Button>
      )}
    </div>
  )
}

/** `Tea › Green`, without the category itself. */
function pathOf(
  { id }: CountedCategory,
  categories: readonly CountedCategory[],
  nameOf: (category: CountedCategory) => string,
): string {
  return ancestorsOf(categories, id)
    .toReversed()
    .map((above) => nameOf(categories.find((one) => one.id === above)!))
    .join(' › ')
}
