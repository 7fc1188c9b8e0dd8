// Saves the typed values of a record: one request for all scopes, which never overwrites values that the user has not
// seen. Contract 3 §2. R3, R4.
import { Refusal } from '../api/failures.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import type { Query } from '../state/cache.ts'
import type { Console } from '../state/console.ts'
import type { Step } from '../state/undo.ts'
import { t } from '../words/place.ts'
import {
  changeKey,
  compare,
  type Conflict,
  faultyOf,
  type FieldChange,
  reversed,
  toPatch,
  toSave,
  withoutChange,
} from './changes.ts'
import type { RecordData } from './record-data.ts'
import type { RecordForm } from './record-form.ts'

/** Attempts against concurrent writes before the user has to decide. */
const ATTEMPTS = 4

export class RecordSaver {
  readonly #form: RecordForm
  readonly #console: Console
  readonly #query: () => Query<RecordData>
  readonly #onChanged: () => void

  constructor(form: RecordForm, query: () => Query<RecordData>, onChanged: () => void) {
    this.#form = form
    this.#console = form.console
    this.#query = query
    this.#onChanged = onChanged
  }

  /**
   * Saves; resolves to whether everything is saved. An invalid text receives the focus; a value that somebody else
   * changed becomes a conflict.
   */
  async save(): Promise<boolean> {
    const form = this.#form
    if (form.isSaving.peek()) return false
    this.#giveUpGone()
    const faulty = faultyOf(form.changes.peek())[0]
    if (faulty !== undefined) {
      form.goTo(faulty)
      return false
    }
    const undecided = new Set(form.conflicts.peek().map(({ change }) => changeKey(change)))
    const changes = toSave(form.changes.peek()).filter((change) => !undecided.has(changeKey(change)))
    await this.#run(changes)
    return form.error.peek() === undefined && form.conflicts.peek().length === 0
  }

  /** Discards texts of removed attributes, which would block all other texts. */
  #giveUpGone(): void {
    const form = this.#form
    const schema = form.schema.peek()
    for (const change of form.changes.peek().values()) {
      if (schema === undefined || schema.rules.attribute(change.alias) !== undefined) continue
      form.giveUp(change)
      const { value, text = typeof value === 'string' ? value : JSON.stringify(value) } = change
      this.#console.status.complain(t('records.rowMoved', { text }))
    }
  }

  /** Overwrites the other user's value with the user's own. */
  async keepMine({ change, theirs }: Conflict): Promise<void> {
    const mine = { ...(this.#form.changes.peek().get(changeKey(change)) ?? change), before: theirs }
    this.#decide(change)
    this.#form.replace(new Map([...this.#form.changes.peek(), [changeKey(change), mine]]))
    await this.#run([mine])
  }

  takeTheirs({ change }: Conflict): void {
    this.#form.giveUp(change)
  }

  #decide(change: FieldChange): void {
    const { conflicts } = this.#form
    conflicts.value = conflicts.peek().filter((other) => changeKey(other.change) !== changeKey(change))
  }

  async #run(changes: readonly FieldChange[]): Promise<void> {
    const { isSaving, error } = this.#form
    if (changes.length === 0) return
    isSaving.value = true
    error.value = undefined
    try {
      await this.#send(changes, ATTEMPTS)
    } catch (failure) {
      error.value = failure as Error
    } finally {
      isSaving.value = false
    }
  }

  async #send(changes: readonly FieldChange[], attempts: number): Promise<void> {
    try {
      await this.#patch(changes)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412 || attempts === 0) throw error
      const query = this.#query()
      await query.refresh()
      const data = query.data.peek()
      if (data === undefined || query.error.peek() !== undefined) throw error
      this.#form.take(data)
      const { done, clear, conflicts } = compare(changes, data.record.values)
      this.#acknowledge(done)
      this.#form.conflicts.value = [...this.#form.conflicts.peek(), ...conflicts]
      if (clear.length > 0) await this.#send(clear, attempts - 1)
      return
    }
    this.#acknowledge(changes)
    this.#console.undo.push(stepOf(this.#console, this.#form.recordId, changes, () => this.#renew()))
    this.#renew()
  }

  async #patch(changes: readonly FieldChange[]): Promise<void> {
    const { record } = (await patchRecord(this.#console, this.#form.recordId, changes)) ?? {}
    const data = this.#form.stored.peek()
    if (record === undefined || data === undefined) return
    const written = { ...data, record: { ...data.record, ...record } }
    // The page shows new data one frame later: until then, the fields would show old values.
    this.#form.take(written)
    this.#query().put(written)
  }

  /** Notes that the server has these values. Later key presses change the server's new version. */
  #acknowledge(saved: readonly FieldChange[]): void {
    if (saved.length === 0) return
    const form = this.#form
    let changes = form.changes.peek()
    for (const change of saved) {
      const key = changeKey(change)
      const typed = changes.get(key)
      if (typed === undefined) continue
      changes = isSameValue(typed.value, change.value)
        ? withoutChange(changes, key)
        : new Map([...changes, [key, { ...typed, before: change.value }]])
    }
    this.#console.drafts.acknowledge(form.recordId, saved)
    form.replace(changes)
  }

  #renew(): void {
    const { cache } = this.#console
    cache.refreshAll(`record ${this.#form.recordId} `)
    this.#onChanged()
  }
}

/** Sends a request until it is answered. A request whose answer was lost counts as done if its values are stored. */
export async function patchRecord(
  { call, offline }: Console,
  id: string,
  changes: readonly FieldChange[],
): Promise<{ readonly record: object } | undefined> {
  const send = async () => {
    const { body } = await call('PATCH /api/v1/records/:id', { params: { id }, body: toPatch(changes) })
    return { record: body }
  }
  return offline.write(send, async (refusal) => {
    if (refusal.status !== 412) return undefined
    const { body } = await call('GET /api/v1/records/:id', { params: { id } })
    const { done } = compare(changes, body.values)
    return done.length === changes.length ? { record: body } : undefined
  })
}

/** An undo step: writes the old values back, unless somebody has changed them since. */
export function stepOf(console: Console, id: string, changes: readonly FieldChange[], onDone: () => void): Step {
  const write = async (some: readonly FieldChange[]): Promise<void> => {
    await patchRecord(console, id, some)
    onDone()
  }
  return {
    name: t('records.filled', { count: changes.length }),
    undo: () => write(reversed(changes)),
    redo: () => write(changes),
  }
}
