// A record in a form: stored values, typed values, expected refusals, and saving. All state is in signals, so that a
// key press renders one field. R1 to R5.
import { batch, computed, signal } from '@preact/signals'
import type { Values } from '../../src/core/records/rules/record.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { isAborted } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import type { Reading } from '../fields/field.ts'
import { storedValue, withValue } from '../grid/cell-value.ts'
import type { Console } from '../state/console.ts'
import type { Draft } from '../state/drafts.ts'
import {
  type Changes,
  changeKey,
  type Conflict,
  type FieldChange,
  NO_CHANGES,
  toSave,
  toValues,
  withChange,
  withChanges,
  withoutChange,
} from './changes.ts'
import {
  type FieldPlace,
  hiddenByGuard,
  isServersToSay,
  NO_SCORE,
  sameScore,
  type Score,
  scopesByAlias,
  scoreNow,
  stateAhead,
} from './missing.ts'
import type { RecordData } from './record-data.ts'

type Issue = Endpoints['POST /api/v1/records/validate']['reply']['issues'][number]

/** Milliseconds after the last key: until missing values are counted again, and until the server checks. */
const SETTLING = 60
const CHECKING = 400

export class RecordForm {
  readonly recordId: string
  readonly console: Console
  readonly stored = signal<RecordData | undefined>(undefined)
  readonly changes = signal<Changes>(NO_CHANGES)
  /** The stored values with the typed values on top. */
  readonly working = signal<Values>({})
  /** The same values, updated a moment after the last key. */
  readonly settled = signal<Values>({})
  readonly issues = signal<readonly Issue[]>([])
  /** The server's result for the typed values; undefined: the values have changed since the last check. */
  readonly checked = signal<Score | undefined>(undefined)
  readonly conflicts = signal<readonly Conflict[]>([])
  readonly isSaving = signal(false)
  readonly error = signal<Error | undefined>(undefined)
  /** An earlier draft that was never saved. */
  readonly offered = signal<Draft | undefined>(undefined)
  /** The field that has the focus, or had it last. */
  readonly at = signal<FieldPlace | undefined>(undefined)
  /** The user asked for the next missing value before the record had loaded. */
  isNextAsked = false
  /** The field that must receive the focus. */
  readonly target = signal<FieldPlace | undefined>(undefined)
  readonly schema = computed(() => this.console.model.schema(this.stored.value?.record.schemaId ?? ''))
  readonly stateId = computed(() => this.#stateToScore())
  /** The score: the same object while the missing fields stay the same. */
  readonly score = computed<Score>(() => (this.#last = sameScore(this.#last, this.#score())))
  readonly missingByAlias = computed(() => scopesByAlias(this.score.value.missing))
  /** Aliases that a guard hides in the bar's scope, as one text: equal texts render nothing. */
  readonly hidden = computed(() => this.#hidden())
  #last = NO_SCORE
  #stopSettling: () => void = () => undefined
  #stopChecking: () => void = () => undefined
  #checking: AbortController | undefined

  constructor(console: Console, recordId: string) {
    this.console = console
    this.recordId = recordId
  }

  /** Replaces the stored values by the server's version; typed values stay. */
  take(data: RecordData): void {
    const isFirst = this.stored.peek() === undefined
    const working = withChanges(data.record.values, this.changes.peek().values())
    batch(() => {
      this.stored.value = data
      this.working.value = working
      this.settled.value = working
      if (isFirst) this.offered.value = this.console.drafts.of(this.recordId)
    })
  }

  change(alias: string, scope: Scope): FieldChange | undefined {
    return this.changes.value.get(changeKey({ alias, scope }))
  }

  /** Called after the user typed or chose a value. */
  set(place: FieldPlace, typed: Pick<FieldChange, 'value' | 'text' | 'problem'>): void {
    const known = this.changes.peek().get(changeKey(place))
    const before = known === undefined ? this.#storedAt(place) : known.before
    this.#put({ alias: place.alias, scope: place.scope, before, ...typed })
  }

  /** Called when a field loses the focus: its text becomes the written form of its value. */
  leave(place: FieldPlace): void {
    const known = this.changes.peek().get(changeKey(place))
    if (known === undefined || known.problem !== undefined || known.text === undefined) return
    this.#put({ ...known, text: undefined })
  }

  /** Discards the typed text of one field. */
  giveUp(place: FieldPlace): boolean {
    const key = changeKey(place)
    const known = this.changes.peek().get(key)
    if (known === undefined) return false
    this.replace(withoutChange(this.changes.peek(), key))
    this.conflicts.value = this.conflicts.peek().filter(({ change }) => changeKey(change) !== key)
    return true
  }

  discard(): void {
    this.conflicts.value = []
    this.error.value = undefined
    this.replace(NO_CHANGES)
  }

  /** Restores the stored draft. @param read parses a text that was not a value */
  resume(read: (alias: string, text: string) => Reading): void {
    const draft = this.offered.peek()
    this.offered.value = undefined
    if (draft === undefined) return
    const kept = draft.values.map((value): FieldChange => {
      const reading = value.text === undefined ? undefined : read(value.alias, value.text)
      return { ...value, problem: reading?.code === undefined ? undefined : reading.problem }
    })
    const typed = [...this.changes.peek().values()]
    this.replace(new Map([...kept, ...typed].map((change) => [changeKey(change), change])))
  }

  forget(): void {
    this.offered.value = undefined
    this.console.drafts.drop(this.recordId)
  }

  close(): void {
    this.#stopSettling()
    this.#stopChecking()
    this.#checking?.abort()
  }

  goTo(place: FieldPlace): void {
    this.target.value = { ...place }
  }

  #storedAt({ alias, scope }: FieldPlace): unknown {
    return storedValue(this.stored.peek()?.record.values ?? {}, alias, scope) ?? null
  }

  #put(change: FieldChange): void {
    batch(() => {
      this.changes.value = withChange(this.changes.peek(), change)
      if (change.problem === undefined)
        this.working.value = withValue(this.working.peek(), change.alias, change.scope, change.value)
    })
    this.#changed()
  }

  /** Replaces the typed values, after a save or a choice. */
  replace(changes: Changes): void {
    batch(() => {
      this.changes.value = changes
      this.working.value = withChanges(this.stored.peek()?.record.values ?? {}, changes.values())
    })
    this.#changed()
  }

  #changed(): void {
    const { browser, drafts } = this.console
    const kept = [...this.changes.peek().values()].filter(
      (change) => change.problem !== undefined || toSave(new Map([['', change]])).length > 0,
    )
    drafts.put(
      this.recordId,
      kept.map(({ alias, scope, value, before, text, problem }) => ({
        alias,
        scope,
        value,
        before,
        ...(problem === undefined ? {} : { text }),
      })),
    )
    this.#stopSettling()
    this.#stopSettling = browser.after(SETTLING, () => (this.settled.value = this.working.peek()))
    this.#stopChecking()
    this.#stopChecking = browser.after(CHECKING, () => void this.#check())
  }

  async #check(): Promise<void> {
    this.#checking?.abort()
    const changes = toSave(this.changes.peek())
    if (changes.length === 0) {
      batch(() => {
        this.issues.value = []
        this.checked.value = undefined
      })
      return
    }
    const checking = new AbortController()
    this.#checking = checking
    try {
      const body = { id: this.recordId, values: toValues(changes), stateId: this.stateId.peek() }
      const answer = await this.console.call('POST /api/v1/records/validate', { body, signal: checking.signal })
      batch(() => {
        this.issues.value = answer.body.issues.filter(({ code }) => code !== 'required')
        this.checked.value = answer.body.completeness
      })
    } catch (error) {
      // Saving reports errors, too.
      if (!isAborted(error)) this.issues.value = []
    }
  }

  #stateToScore(): string {
    const record = this.stored.value?.record
    const workflow = this.console.model.workspace.value?.workflows.get(this.schema.value?.workflowId ?? '')
    const schema = this.schema.value
    if (record === undefined || schema === undefined || workflow === undefined) return record?.lifecycleStateId ?? ''
    return stateAhead(workflow, record.lifecycleStateId, schema)
  }

  #score(): Score {
    const { stored, schema, stateId } = this
    const model = this.console.model.workspace.value?.model
    if (stored.value === undefined || schema.value === undefined || model === undefined) return NO_SCORE
    if (isServersToSay(schema.value)) return this.checked.value ?? stored.value.record.completeness ?? NO_SCORE
    const layers = { own: this.settled.value, inherited: stored.value.parent }
    return scoreNow({ layers, schema: schema.value, model }, stateId.value)
  }

  #hidden(): string {
    const model = this.console.model.workspace.value?.model
    if (this.stored.value === undefined || this.schema.value === undefined || model === undefined) return ''
    const layers = { own: this.settled.value, inherited: this.stored.value.parent }
    const scored = { layers, schema: this.schema.value, model }
    return [...hiddenByGuard(scored, this.console.scope.current.value)].join(' ')
  }
}
