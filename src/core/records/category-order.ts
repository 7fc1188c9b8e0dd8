// The order of the records in a category. A moved record gets another `sortOrder`: this changes the record like any
// other assignment. Contract 3 §7, 3 §10, 3 §11.
import { conflict, invalid, shorten } from '../../kernel/errors.ts'
import { firstDuplicate } from '../../kernel/input/validation.ts'
import { type CategoryAssignment, MAX_ORDERED } from '../model/rules/catalog.ts'
import { planMove, renumber } from '../model/rules/sort-order.ts'
import type { RecordPlace } from '../../store/category-port.ts'
import type { LongTransaction, Store } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { findCategory } from '../model/category-service.ts'
import { keepAnswer } from '../requests/idempotent-requests.ts'
import { pauseFor } from './limited-work.ts'
import { assignCategories } from './record-categories.ts'
import { findRecord } from './readable-records.ts'

const MAX_SECONDS = 10

export interface MovedRecord {
  readonly assignment: CategoryAssignment
  /** The version of the record. */
  readonly version: number
}

interface OrderDeps {
  readonly store: Store
  readonly system: System
}

export function createCategoryOrderService(deps: OrderDeps) {
  const { store } = deps
  return {
    /**
     * Gives all records of the category the order of `recordIds`. Resolves to their assignments in this order.
     * @throws NOT_FOUND, VALIDATION_ERROR if `recordIds` are not exactly the category's own records, UNAVAILABLE if it
     * exceeds its time
     */
    order: (caller: Caller, categoryId: string, recordIds: readonly string[]): Promise<CategoryAssignment[]> =>
      store.longTransaction(async (tx) => {
        await findCategory(tx, categoryId)
        const places = await tx.categories.places(categoryId, MAX_ORDERED + 1)
        assertExactly(recordIds, places, categoryId)
        const now = new Map(places.map(({ id, sortOrder }) => [id, sortOrder]))
        const wanted = renumber(recordIds)
        const changed = new Map([...wanted].filter(([id, sortOrder]) => now.get(id) !== sortOrder))
        await setOrders(tx, deps, caller, categoryId, changed)
        return recordIds.map((entityId) => ({ entityId, categoryId, sortOrder: wanted.get(entityId)! }))
      }),

    /**
     * Moves a record directly before another record of the category, or to the end (`before` null).
     * @throws NOT_FOUND
     * @throws VALIDATION_ERROR for a record that is not in the category
     * @throws CONFLICT if too many records would move along
     * @throws UNAVAILABLE if it exceeds its time
     */
    move: (
      caller: Caller,
      categoryId: string,
      { recordId, before }: { readonly recordId: string; readonly before: string | null },
    ): Promise<MovedRecord> =>
      store.longTransaction(async (tx) => {
        await findCategory(tx, categoryId)
        if (before === recordId) throw invalid('before names the record that is moved')
        const moved = await findPlace(tx, categoryId, recordId, 'recordId')
        const at = before === null ? undefined : await findPlace(tx, categoryId, before, 'before')
        const orders = await plan(tx, categoryId, moved, at)
        await setOrders(tx, deps, caller, categoryId, orders)
        const sortOrder = orders.get(recordId) ?? moved.sortOrder
        const { version } = await findRecord(tx, recordId)
        return keepAnswer(tx, caller, { assignment: { entityId: recordId, categoryId, sortOrder }, version })
      }),
  }
}

function assertExactly(recordIds: readonly string[], places: readonly RecordPlace[], categoryId: string): void {
  if (places.length > MAX_ORDERED)
    throw invalid(`recordIds: the category '${categoryId}' has more than ${MAX_ORDERED} records: move single ones`)
  const twice = firstDuplicate(recordIds)
  if (twice !== undefined) throw invalid(`recordIds lists '${shorten(twice)}' twice`)
  const own = new Set(places.map(({ id }) => id))
  const foreign = recordIds.find((id) => !own.has(id))
  if (foreign !== undefined)
    throw invalid(`recordIds names '${shorten(foreign)}', which is not assigned to the category itself`)
  const listed = new Set(recordIds)
  const missing = places.find(({ id }) => !listed.has(id))
  if (missing !== undefined) throw invalid(`recordIds lacks '${missing.id}', which is assigned to the category`)
}

async function findPlace(tx: LongTransaction, categoryId: string, id: string, field: string): Promise<RecordPlace> {
  const place = await tx.categories.placeOf(categoryId, id)
  if (place === undefined)
    throw invalid(`${field} names '${shorten(id)}', which is not assigned to the category itself`)
  return place
}

async function plan(
  tx: LongTransaction,
  categoryId: string,
  moved: RecordPlace,
  at: RecordPlace | undefined,
): Promise<ReadonlyMap<string, number>> {
  const isOther = ({ id }: RecordPlace): boolean => id !== moved.id
  const previous = (await tx.categories.placesBefore(categoryId, at, 2)).find(isOther)
  const behind = at === undefined ? [] : await tx.categories.placesFrom(categoryId, at, MAX_ORDERED)
  const tied = behind.filter(({ sortOrder }) => sortOrder === at!.sortOrder)
  const orders = planMove({ moved, previous, following: behind.filter(isOther) })
  if (orders !== undefined && (orders.size < 2 || tied.length < MAX_ORDERED)) return orders
  const why = `leave no room before '${at?.id ?? 'the end'}': give them other numbers first`
  throw conflict(`The sortOrders of the records in the category '${categoryId}' ${why}`)
}

async function setOrders(
  tx: LongTransaction,
  { system }: OrderDeps,
  caller: Caller,
  categoryId: string,
  orders: ReadonlyMap<string, number>,
): Promise<void> {
  const advice = 'Move single records.'
  const pause = pauseFor(tx, { what: 'Ordering the records', seconds: MAX_SECONDS, advice })
  for (const [recordId, sortOrder] of orders) {
    const record = await findRecord(tx, recordId)
    const places = (await tx.categories.assignmentsOf(recordId)).map((assignment) =>
      assignment.categoryId === categoryId ? { ...assignment, sortOrder } : assignment,
    )
    await assignCategories(tx, system, caller, { record, places })
    await pause()
  }
}
