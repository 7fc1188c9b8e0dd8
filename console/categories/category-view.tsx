// The records of a category in their order, or also those of all categories below.
import { useMemo, useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Segmented } from '../kit/chips.tsx'
import { Combobox } from '../kit/combobox.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { makeSequence } from '../state/sequence.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'
import { changeMembership, type FoundRecord, readAllOf, readCategoryRecords } from './category-records.ts'
import { ancestorsOf, type CountedCategory } from './category-tree.ts'
import { MoreButton } from '../kit/more-button.tsx'
import { useRecordFinder } from '../kit/record-field.tsx'
import { orderByDrop, orderByKey, reordered, standsBefore } from './record-order.ts'
import { RecordRows } from './record-rows.tsx'

interface CategoryViewProps {
  readonly category: CountedCategory
  readonly categories: readonly CountedCategory[]
}

export function CategoryView({ category, categories }: CategoryViewProps) {
  const { call, cache, model, router, scope, undo } = useConsole()
  const { isBusy, act } = useActing()
  const { id, catalogId } = category
  const includeChildren = router.query.value['below'] === '1'
  const [inSequence] = useState(makeSequence)
  const records = usePagedQuery<FoundRecord>(`catalog ${catalogId} records ${id} ${includeChildren}`, (after, signal) =>
    readCategoryRecords(call, { id, includeChildren, after }, { signal }),
  )
  const mayWrite = model.may('categories.write')
  const shown = () => records.query.data.peek()?.items ?? []
  const hasMore = () => records.query.data.peek()?.next !== undefined
  const send = async (recordId: string, before: string | null) => {
    await call('POST /api/v1/categories/:id/records/move', { params: { id }, body: { recordId, before } })
    const page = records.query.data.peek()
    if (page !== undefined) records.query.put({ ...page, items: reordered(page.items, recordId, before) })
  }
  const nameOf = (record: FoundRecord) => labelOf(record, model.schema(record.schemaId), scope.current.value)
  const move = (recordId: string, plan: (list: readonly FoundRecord[]) => string | null | undefined) =>
    act(() =>
      inSequence(async () => {
        const [before, from] = [plan(shown()), standsBefore(shown(), recordId)]
        const record = shown().find((one) => one.id === recordId)
        if (before === undefined || record === undefined) {
          // The record behind the last shown record is unknown until the next page is read.
          if (hasMore()) await records.readMore()
          return
        }
        await send(recordId, before)
        undo.push({
          name: t('categories.stepOrder', { name: nameOf(record) }),
          undo: () => send(recordId, from),
          redo: () => send(recordId, before),
        })
      }),
    )
  const renew = () => cache.refreshAll(`catalog ${catalogId}`)
  const change = (recordId: string, name: string, isIn: boolean) =>
    act(async () => {
      const put = async (isToBeIn: boolean) => {
        await changeMembership(call, id, recordId, isToBeIn)
        renew()
      }
      await put(isIn)
      const step = isIn ? t('categories.stepPutIn', { name }) : t('categories.stepTakeOut', { name })
      undo.push({ name: step, undo: () => put(!isIn), redo: () => put(isIn) })
    })
  const orderByName = () =>
    act(async () => {
      const all = await readAllOf(call, id)
      const before = all.map((record) => record.id)
      const collator = new Intl.Collator(language.value, { numeric: true })
      const after = all
        .toSorted((one, other) => collator.compare(nameOf(one), nameOf(other)))
        .map((record) => record.id)
      const put = async (recordIds: readonly string[]) => {
        await call('PUT /api/v1/categories/:id/records/order', { params: { id }, body: { recordIds } })
        renew()
      }
      await put(after)
      undo.push({ name: t('categories.stepByName'), undo: () => put(before), redo: () => put(after) })
    })
  const path = useMemo(() => pathOf(category, categories, (one) => model.nameOf(one)), [category, categories])
  const suggest = useRecordFinder()
  const canOrder = mayWrite && !includeChildren
  return (
    <>
      <header class="category-head">
        <div class="grow">
          {path !== '' && <small class="quiet">{path}</small>}
          <h2 dir="auto">{model.nameOf(category)}</h2>
        </div>
        {category.counts?.total !== category.counts?.direct && (
          <Segmented
            label=""
            value={includeChildren ? 'below' : 'own'}
            choices={[
              { id: 'own', name: t('categories.own', { count: category.counts?.direct ?? 0 }) },
              { id: 'below', name: t('categories.withBelow', { count: category.counts?.total ?? 0 }) },
            ]}
            onChange={(value) => router.setQuery({ below: value === 'below' ? '1' : undefined })}
          />
        )}
        <a class="button quiet" href={writeAddress({ place: 'records', query: { cat: id } })}>
          {t('categories.inSheet')}
        </a>
      </header>
      {canOrder && (
        <div class="category-tools">
          <Combobox
            label={t('categories.putIn')}
            placeholder={t('categories.putIn')}
            options={suggest}
            value={null}
            onChange={(option) => option !== null && void change(option.id, option.name, true)}
          />
          {(category.counts?.direct ?? 0) > 1 && (
            <Button icon="sort" isBusy={isBusy} onClick={() => void orderByName()}>
              {t('categories.orderByName')}
            </Button>
          )}
        </div>
      )}
      <Shown query={records.query} isLive>
        {(page) =>
          page.items.length === 0 ? (
            <Empty icon="records" title={t('categories.empty')} />
          ) : (
            <>
              <RecordRows
                records={page.items}
                onKey={
                  canOrder
                    ? (recordId, key) => void move(recordId, (list) => orderByKey(list, recordId, key, hasMore()))
                    : undefined
                }
                onDrop={(recordId, target) =>
                  void move(recordId, (list) => orderByDrop(list, recordId, target, hasMore()))
                }
                onRemove={
                  canOrder
                    ? (recordId) => {
                        const record = page.items.find((one) => one.id === recordId)!
                        void change(recordId, nameOf(record), false)
                      }
                    : undefined
                }
              />
              <MoreButton paged={records} />
            </>
          )
        }
      </Shown>
    </>
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
