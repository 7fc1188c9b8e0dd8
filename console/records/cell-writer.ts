// Writes cells. An edit is shown at once, and sent in one batch with one operation per record. A refused text stays in
// its cell. Undo reverts the batch. G4, G6. Contract 3 §2 (batch, expect), 3 §10.
import { batch } from '@preact/signals'
import { parseScopeKey, type Scope } from '../../src/core/scopes/scope.ts'
import { Refusal } from '../api/failures.ts'
import type { CallOptions } from '../api/call.ts'
import { t } from '../words/place.ts'
import {
  type CellEdit,
  chunksOf,
  type EditedRecord,
  MAX_OPERATIONS,
  mergeEdits,
  outcomeOf,
  type RefusedEdit,
  reversed,
  toOperations,
  toSingleOperations,
} from './edits.ts'
import { placedProblem } from '../fields/problem-text.ts'
import type { RecordsState } from './records-state.ts'
import type { Step } from '../state/undo.ts'
import { newKey } from '../state/new-key.ts'
import { type CellMark, markKey, type RecordRow, storedInCell, withEdits, withMark, withRecord } from './rows.ts'

type BatchBody = NonNullable<CallOptions<'POST /api/v1/records/batch'>['body']>

/** The most records that one request reads again. */
const MAX_AGAIN = 500

export interface UnreadText {
  readonly recordId: string
  /** The `markKey` of the cell. */
  readonly key: string
  readonly text: string
  readonly message: string
}

export class CellWriter {
  readonly #state: RecordsState
  /** Record ID → number of running writes: events about these records come from this sheet. */
  readonly #own = new Map<string, number>()
  /** Record ID → number of begun and ended writes: data read across a write may be older than the write. */
  readonly #turns = new Map<string, number>()

  constructor(state: RecordsState) {
    this.#state = state
  }

  /** Shows and sends the edits, and registers an undo step. Whether any was saved. @param name of the undo step */
  async write(edits: readonly CellEdit[], name: string): Promise<boolean> {
    return this.#state.console.undo.addSaved(this.#save(edits, name))
  }

  /** Leaves texts that do not parse in their cells, marked. */
  refuse(texts: readonly UnreadText[]): void {
    if (texts.length === 0) return
    const byRecord = Map.groupBy(texts, ({ recordId }) => recordId)
    this.#state.store.update((row) => {
      const own = byRecord.get(row.record.id)
      if (own === undefined) return undefined
      let next = row
      for (const { key, text, message } of own) next = withMark(next, key, { kind: 'refused', text, message })
      return next
    })
  }

  /** Discards the refused text: the cell shows the value in force again. */
  forget(recordId: string, key: string): void {
    this.#state.store.update((row) => (row.record.id === recordId ? withMark(row, key, undefined) : undefined))
  }

  /** Whether this sheet made the change of the record. */
  isOwn(recordId: string): boolean {
    const count = this.#own.get(recordId) ?? 0
    if (count > 1) this.#own.set(recordId, count - 1)
    else this.#own.delete(recordId)
    return count > 0
  }

  /** Forgets the own changes, because after a jump over changes their events do not come. */
  forgetOwn(): void {
    this.#own.clear()
  }

  /** Reads records again in place: records that no longer match stay, marked. */
  async readAgain(ids: readonly string[]): Promise<void> {
    for (const some of chunksOf([...new Set(ids)], MAX_AGAIN)) {
      const turns = some.map((id) => this.#turns.get(id))
      const { records, matching } = await this.#state.readAgain(some)
      const byId = new Map(records.map((record) => [record.id, record]))
      // A record with a write meanwhile is read again by that write.
      const asked = new Set(some.filter((id, at) => this.#turns.get(id) === turns[at]))
      this.#state.store.update((row) => {
        if (!asked.has(row.record.id)) return undefined
        const record = byId.get(row.record.id)
        if (record === undefined) return { ...row, state: 'deleted' }
        return { ...withUnsent(withRecord(row, record), row), state: matching.has(record.id) ? undefined : 'gone' }
      })
    }
  }

  async #save(edits: readonly CellEdit[], name: string): Promise<Step | undefined> {
    const { done, refused } = await this.#send(mergeEdits(edits))
    this.#tellRefused(refused)
    if (done.length === 0) return undefined
    return { name, undo: () => this.#takeBack(reversed(done)), redo: () => this.#takeBack(done) }
  }

  /** A row that is no longer shown, or is read again now, keeps no text. */
  #tellRefused(refused: readonly RefusedEdit[]): void {
    const { console, store } = this.#state
    const shown = new Set(store.isCurrent ? [...store.entries()].map(([, { record }]) => record.id) : [])
    const lost = refused.filter(({ edit }) => !shown.has(edit.recordId))
    const count = refused.length - lost.length
    if (lost.length > 0) this.#state.tellLost(lost.map(({ edit }) => edit.text || '–'))
    if (count > 0) console.status.complain(t('records.cellsRefused', { count }))
  }

  async #takeBack(edits: readonly CellEdit[]): Promise<void> {
    const { refused } = await this.#send(edits)
    if (refused.length === 0) return
    for (const { edit } of refused) this.forget(edit.recordId, markKey(edit.alias, edit.at ?? edit.scope))
    const { console } = this.#state
    console.status.complain(t('records.notTakenBack', { count: refused.length }))
  }

  async #send(edits: readonly CellEdit[]): Promise<{ done: readonly CellEdit[]; refused: readonly RefusedEdit[] }> {
    const ids = [...new Set(edits.map(({ recordId }) => recordId))]
    this.#turn(ids)
    this.#show(edits, { kind: 'saving' })
    const done: CellEdit[] = []
    const refused: RefusedEdit[] = []
    let rest = toOperations(edits)
    while (rest.length > 0) {
      const unclear: CellEdit[] = []
      for (const part of chunksOf(rest, MAX_OPERATIONS)) {
        const outcome = await this.#sendPart(part)
        done.push(...outcome.done)
        refused.push(...outcome.refused)
        unclear.push(...outcome.unclear)
      }
      rest = toSingleOperations(unclear)
    }
    this.#settle(done, refused)
    this.#turn(ids)
    void this.readAgain(ids).catch(() => undefined)
    return { done, refused }
  }

  #turn(ids: readonly string[]): void {
    for (const id of ids) this.#turns.set(id, (this.#turns.get(id) ?? 0) + 1)
  }

  async #sendPart(part: readonly EditedRecord[]): Promise<ReturnType<typeof outcomeOf>> {
    const { call, offline } = this.#state.console
    const body = { atomic: false, operations: part.map(({ operation }) => operation) } as unknown as BatchBody
    const idempotencyKey = newKey()
    try {
      const { body: answer } = await offline.write(() => call('POST /api/v1/records/batch', { body, idempotencyKey }))
      for (const { id, status } of answer.results)
        if (id !== undefined && status < 300) this.#own.set(id, (this.#own.get(id) ?? 0) + 1)
      return outcomeOf(part, answer.results)
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 0
      const message = error instanceof Error ? error.message : String(error)
      const edits = part.flatMap(({ edits }) => edits)
      return { done: [], refused: edits.map((edit) => ({ edit, status, message })), unclear: [] }
    }
  }

  #settle(done: readonly CellEdit[], refused: readonly RefusedEdit[]): void {
    const byRecord = Map.groupBy(done, ({ recordId }) => recordId)
    const atFault = Map.groupBy(refused, ({ edit }) => edit.recordId)
    this.#state.store.update((row) => {
      const written = byRecord.get(row.record.id)
      const faults = atFault.get(row.record.id)
      if (written === undefined && faults === undefined) return undefined
      let next = written === undefined ? row : withoutSaving(row, written)
      for (const { edit, status, message } of faults ?? []) next = withRefusal(next, edit, status, message)
      return next
    })
  }

  #show(edits: readonly CellEdit[], mark: CellMark): void {
    const byRecord = Map.groupBy(edits, ({ recordId }) => recordId)
    batch(() => {
      this.#state.store.update((row) => {
        const own = byRecord.get(row.record.id)
        return own && withEdits(row, own, mark)
      })
    })
  }
}

function withoutSaving(row: RecordRow, written: readonly CellEdit[]): RecordRow {
  let next = row
  for (const { alias, scope, at = scope } of written) {
    const key = markKey(alias, at)
    if (next.marks.get(key)?.kind === 'saving') next = withMark(next, key, undefined)
  }
  return next
}

/** Restores the old value below the typed text. */
function withRefusal(row: RecordRow, edit: CellEdit, status: number, message: string): RecordRow {
  const { alias, scope, at = scope, before, text = '' } = edit
  const reverted = withEdits(row, [{ ...edit, after: before }], undefined)
  const told = status === 412 ? t('records.changedMeanwhile') : placedProblem(message)
  return withMark(reverted, markKey(alias, at), { kind: 'refused', text, message: told })
}

/** Keeps values that are being sent as they were typed, because the answer may be older. */
function withUnsent(next: RecordRow, shown: RecordRow): RecordRow {
  const unsent = [...shown.marks].filter(([, { kind }]) => kind === 'saving')
  if (unsent.length === 0) return next
  const edits = unsent.flatMap(([key]): CellEdit[] => {
    const [alias, scope] = cellOf(key)
    return [{ recordId: next.record.id, alias, scope, before: null, after: storedInCell(shown, alias, scope) }]
  })
  return withEdits(next, edits, { kind: 'saving' })
}

function cellOf(key: string): readonly [alias: string, scope: Scope] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), parseScopeKey(key.slice(at + 1))]
}
