// Reads all records of a schema in steps so short that they delay no other request.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ModelChange } from '../rules/model-change.ts'
import type { Store, Transaction } from '../../../store/port.ts'
import type { StoredRecord } from '../../../store/record-port.ts'

/** Milliseconds of work before other work gets a turn. */
const STEP_MILLISECONDS = 3
/** The most records that one transaction changes. */
const STEP_RECORDS = 100
/** The number of records that are read before the time is checked. */
const PAGE = 20

/** Resolves to whether something of the record was written. */
type VisitRecord = (tx: Transaction, record: StoredRecord) => Promise<boolean>

export class Walk {
  readonly #store: Store
  readonly #assertGoesOn: () => void

  /** @param assertGoesOn throws if the walk must stop */
  constructor(store: Store, assertGoesOn: () => void) {
    this.#store = store
    this.#assertGoesOn = assertGoesOn
  }

  /** Passes each committed record to `visit`, which may throw. */
  async look(schemaId: string, visit: (record: StoredRecord) => void): Promise<void> {
    let place = 0
    for (;;) {
      this.#assertGoesOn()
      const end = performance.now() + STEP_MILLISECONDS
      do {
        const page = await this.#store.read.records.listFrom(schemaId, place, PAGE)
        if (page.length === 0) return
        for (const { record } of page) visit(record)
        place = page.at(-1)!.place
      } while (performance.now() < end)
      await nextTurn()
    }
  }

  /**
   * Passes each record to `visit`, some in each transaction. The transaction also stores the progress, from which the
   * walk continues. `assertGoesOn` may also throw after the last step.
   */
  async work(change: ModelChange, visit: VisitRecord): Promise<void> {
    for (let isMore = true; isMore;) {
      this.#assertGoesOn()
      await this.#store.whenCalm()
      isMore = await this.#store.transaction((tx) => step(tx, change, visit))
    }
    this.#assertGoesOn()
  }
}

/** Runs one step. Resolves to whether more records may follow. */
async function step(tx: Transaction, change: ModelChange, visit: VisitRecord): Promise<boolean> {
  const end = performance.now() + STEP_MILLISECONDS
  let place = await tx.modelChanges.cursorOf(change.id)
  let written = 0
  let page = await tx.records.listFrom(change.before.id, place, PAGE)
  let isOver = false
  while (page.length > 0 && !isOver) {
    for (const each of page) {
      if (await visit(tx, each.record)) written += 1
      place = each.place
      isOver = written >= STEP_RECORDS || performance.now() > end
      if (isOver) break
    }
    if (!isOver) page = await tx.records.listFrom(change.before.id, place, PAGE)
  }
  await tx.modelChanges.advance(change.id, place)
  return isOver
}
