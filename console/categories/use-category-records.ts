// The records of a category, and the changes of their order and membership. Undo reverts every change. C4.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { useConsole } from '../state/context.ts'
import { labelOf } from '../state/labels.ts'
import { usePagedQuery } from '../state/paged-query.ts'
import { t } from '../words/place.ts'
import { language } from '../words/words.ts'
import { changeMembership, type FoundRecord, readAllOf, readCategoryRecords } from './category-records.ts'
import type { CountedCategory } from './category-tree.ts'
import { reordered, standsBefore } from './record-order.ts'
import { makeSequence } from './sequence.ts'

export function useCategoryRecords(category: CountedCategory, includeChildren: boolean) {
  const { id, catalogId } = category
  const { call, cache, model, scope, undo } = useConsole()
  const { isBusy, act } = useActing()
  const records = usePagedQuery<FoundRecord>(`catalog ${catalogId} records ${id} ${includeChildren}`, (after, signal) =>
    readCategoryRecords(call, { id, includeChildren, after }, { signal }),
  )
  const nameOf = (record: FoundRecord) => labelOf(record, model.schema(record.schemaId), scope.current.value)
  const renew = () => cache.refreshAll(`catalog ${catalogId}`)
  const change = (recordId: string, name: string, isIn: boolean) => {
    const put = async (isToBeIn: boolean) => {
      await changeMembership(call, id, recordId, isToBeIn)
      renew()
    }
    const step = isIn ? t('categories.stepPutIn', { name }) : t('categories.stepTakeOut', { name })
    return act(() => undo.take({ name: step, redo: () => put(isIn), undo: () => put(!isIn) }))
  }
  const orderByName = () =>
    act(async () => {
      const all = await readAllOf(call, id)
      const collator = new Intl.Collator(language.value, { numeric: true })
      const sorted = all.toSorted((one, other) => collator.compare(nameOf(one), nameOf(other)))
      const put = async (list: readonly FoundRecord[]) => {
        const body = { recordIds: list.map((record) => record.id) }
        await call('PUT /api/v1/categories/:id/records/order', { params: { id }, body })
        renew()
      }
      await undo.take({ name: t('categories.stepByName'), redo: () => put(sorted), undo: () => put(all) })
    })
  return { records, isBusy, nameOf, change, orderByName, ...useMoves(category, records, { act, nameOf }) }
}

type Plan = (list: readonly FoundRecord[], hasMore: boolean) => string | null | undefined

/** Moves in the order of the keys, which are faster than answers. */
function useMoves(
  { id }: CountedCategory,
  records: ReturnType<typeof usePagedQuery<FoundRecord>>,
  host: Pick<ReturnType<typeof useActing>, 'act'> & { readonly nameOf: (record: FoundRecord) => string },
) {
  const { call, undo } = useConsole()
  const [inSequence] = useState(makeSequence)
  const send = async (recordId: string, before: string | null) => {
    await call('POST /api/v1/categories/:id/records/move', { params: { id }, body: { recordId, before } })
    const page = records.query.data.peek()
    if (page !== undefined) records.query.put({ ...page, items: reordered(page.items, recordId, before) })
  }
  const moveNow = async (recordId: string, plan: Plan) => {
    const { items = [], next } = records.query.data.peek() ?? {}
    const [before, from] = [plan(items, next !== undefined), standsBefore(items, recordId)]
    const record = items.find((one) => one.id === recordId)
    if (before === undefined || record === undefined) {
      // The record after the last shown record is unknown until the next page is read.
      if (next !== undefined) await records.readMore()
      return
    }
    const name = t('categories.stepMove', { name: host.nameOf(record) })
    await undo.take({ name, redo: () => send(recordId, before), undo: () => send(recordId, from) })
  }
  return {
    move: (recordId: string, plan: Plan) => host.act(() => inSequence(() => moveNow(recordId, plan))),
  }
}
