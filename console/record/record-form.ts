// A record while somebody edits it: what is stored, what was typed, what of it the server would refuse, and saving. All of it is
// signals, so that a key that is typed renews one field. R1 to R5.
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

/** Milliseconds after the last key: until what is missing is counted anew, and until the server is asked. */
const SETTLING = 60
const CHECKING = 400

export class RecordForm {
  readonly recordId: string
  readonly console: Console
  readonly stored = signal<RecordData | undefined>(undefined)
  readonly changes = signal<Changes>(NO_CHANGES)
  /** What is stored with what was typed. */
  readonly working = signal<Values>({})
  /** The same, a moment after the last key. */
  readonly settled = signal<Values>({})
  readonly issues = signal<readonly Issue[]>([])
  /** What the server says of what was typed; undefined: it was not asked since. */
  readonly checked = signal<Score | undefined>(undefined)
  readonly conflicts = signal<readonly Conflict[]>([])
  readonly isSaving = signal(false)
  readonly error = signal<Error | undefined>(undefined)
  /** What was typed here some time before and never saved. */
  readonly offered = signal<Draft | undefined>(undefined)
  /** The field that has the focus, or had it last. */
  readonly at = signal<FieldPlace | undefined>(undefined)
  /** Somebody asked for the next missing value before the record was there. */
  isNextAsked = false
  /** The field that is to take the focus. */
  readonly target = signal<FieldPlace | undefined>(undefined)
  readonly schema = computed(() => this.console.model.schema(this.stored.value?.record.schemaId ?? ''))
  readonly stateId = computed(() => this.#stateToScore())
  /** The same object where nothing else is missing than before. */
  readonly score = computed<Score>(() => (this.#last = sameScore(this.#last, this.#score())))
  readonly missingByAlias = computed(() => scopesByAlias(this.score.value.missing))
  /** Aliases that no guard lets be seen in the scope of the bar, as one text: equal ones renew nothing. */
  readonly hidden = computed(() => this.#hidden())
  #last = NO_SCORE
  #stopSettling: () => void = () => undefined
  #stopChecking: () => void = () => undefined
  #checking: AbortController | undefined

  constructor(console: Console, recordId: string) {
    this.console = console
    this.recordId = recordId
  }

  /** What the server has now; what was typed stays on top of it. */
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

  /** Somebody typed or chose something. */
  set(place: FieldPlace, typed: Pick<FieldChange, 'value' | 'text' | 'problem'>): void {
    const known = this.changes.peek().get(changeKey(place))
    const before = known === undefined ? this.#storedAt(place) : known.before
    this.#put({ alias: place.alias, scope: place.scope, before, ...typed })
  }

  /** The field is left: what stands in it is written as its value is. */
  leave(place: FieldPlace): void {
    const known = this.changes.peek().get(changeKey(place))
    if (known === undefined || known.problem !== undefined || known.text === undefined) return
    this.#put({ ...known, text: undefined })
  }

  /** Gives up what was typed into one field. */
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

  /** Takes up what was kept. @param read what stood in a field and was no value */
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

  /** Replaces what was typed, as a save or a choice leaves it. */
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
      // Saving says what is wrong, too.
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
