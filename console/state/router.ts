// The location of the page: every state that a colleague could want to see has an address. Back and forward restore the
// rest (scroll, cursor, selection), which the history entry of the tab stores.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { type Address, parseAddress, type Query, writeAddress } from './addresses.ts'
import type { Browser } from './browser.ts'
import { own } from '../../src/kernel/own.ts'

/** The data that a place stores beside an address, by name. JSON only. */
type Beside = Readonly<Record<string, unknown>>

const SAVING = 200

export class Router {
  readonly #browser: Browser
  readonly #address
  readonly #beside
  #unsaved: Record<string, unknown> | undefined
  #stopSaving: () => void = () => undefined
  /** Called before the page leaves: false keeps the page here. */
  readonly #guards = new Set<(to: Address) => boolean>()
  readonly address: ReadonlySignal<Address>
  readonly place: ReadonlySignal<string>
  readonly id: ReadonlySignal<string | null>
  readonly query: ReadonlySignal<Query>

  constructor(browser: Browser) {
    this.#browser = browser
    this.#address = signal(parseAddress(browser.address()))
    this.#beside = signal<Beside>(besideOf(browser.history.state))
    this.address = this.#address
    this.place = computed(() => this.#address.value.place)
    this.id = computed(() => this.#address.value.id)
    this.query = computed(() => this.#address.value.query)
    browser.on('travel', () => this.#arrive())
    browser.on('leave', () => this.#save())
  }

  /** `beside`: initial data of the new history entry, for example the list behind a record. */
  go(to: Partial<Address> & { readonly place: string }, beside: Beside = {}): void {
    const address: Address = { id: null, query: {}, ...to }
    if (![...this.#guards].every((mayGo) => mayGo(address))) return
    const text = writeAddress(address)
    if (text === this.#browser.address()) return this.replace(address)
    this.#save()
    this.#browser.history.pushState({ beside }, '', text)
    this.#arrive()
  }

  /** Follows a link of this page. */
  follow(text: string): void {
    this.go(parseAddress(text))
  }

  /** Replaces the address of the current history entry. */
  replace(to: Address): void {
    this.#save()
    this.#browser.history.replaceState({ beside: this.#beside.peek() }, '', writeAddress(to))
    this.#address.value = to
  }

  /** Changes members of the query; undefined and '' remove a member. `isStep`: back returns to the state before. */
  setQuery(changes: Readonly<Record<string, string | undefined>>, { isStep = false } = {}): void {
    const { place, id, query } = this.#address.peek()
    const changed = Object.fromEntries(
      Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
    ) as Query
    const to = { place, id, query: changed }
    if (writeAddress(to) === writeAddress({ place, id, query })) return
    if (isStep) this.go(to, this.#beside.peek())
    else this.replace(to)
  }

  back(): void {
    this.#browser.history.back()
  }

  /** Stores data beside this address, for back and forward. */
  keep(name: string, value: unknown): void {
    this.#unsaved = { ...(this.#unsaved ?? this.#beside.peek()), [name]: value }
    this.#stopSaving()
    this.#stopSaving = this.#browser.after(SAVING, () => this.#save())
  }

  /** The data stored beside this address. */
  kept(name: string): unknown {
    const beside = this.#unsaved ?? this.#beside.value
    return own(beside, name)
  }

  /** Returns a function that removes the guard. */
  guard(mayGo: (to: Address) => boolean): () => void {
    this.#guards.add(mayGo)
    return () => this.#guards.delete(mayGo)
  }

  #save(): void {
    this.#stopSaving()
    if (this.#unsaved === undefined) return
    this.#beside.value = this.#unsaved
    this.#unsaved = undefined
    this.#browser.history.replaceState({ beside: this.#beside.peek() }, '')
  }

  #arrive(): void {
    // The pending data belong to a history entry that is no longer current.
    this.#stopSaving()
    this.#unsaved = undefined
    this.#beside.value = besideOf(this.#browser.history.state)
    this.#address.value = parseAddress(this.#browser.address())
  }
}

function besideOf(state: unknown): Beside {
  const beside = (state as { beside?: unknown } | null)?.beside
  return typeof beside === 'object' && beside !== null ? (beside as Beside) : {}
}
