// The scope bar: the scope in which values are written and shown. The domain contains the rule of scopes
// (`scopes/scope.ts`). This file stores the chosen scope, and finds out whether a value is inherited.
import { computed, type ReadonlySignal } from '@preact/signals'
import { type Scope, type SegmentedDimension, segmentOf } from '../../src/core/scopes/scope.ts'
import { ENGLISH } from '../words/languages.ts'
import { isLanguage } from './language-names.ts'
import { parseScope, writeScope } from './addresses.ts'
import { type Browser, keep, kept } from './browser.ts'
import type { Router } from './router.ts'

const KEPT = 'pimlet-scope'

export class ScopeState {
  readonly #browser: Browser
  readonly #router: Router
  readonly #dimensions: ReadonlySignal<readonly SegmentedDimension[]>
  /** The chosen scope: from the address, or else from this tab's memory, or else from the user's language. */
  readonly current: ReadonlySignal<Scope>

  constructor(browser: Browser, router: Router, dimensions: ReadonlySignal<readonly SegmentedDimension[]>) {
    this.#browser = browser
    this.#router = router
    this.#dimensions = dimensions
    this.current = computed(() => {
      const { scope } = router.query.value
      const remembered = kept(browser.own, KEPT)
      const text = scope ?? (typeof remembered === 'string' ? remembered : undefined)
      if (text === undefined) return likelyScope(browser.languages, dimensions.value)
      return knownScope(parseScope(text), dimensions.value)
    })
  }

  /** Undefined: every segment of the dimension. */
  choose(dimensionId: string, segmentId: string | undefined): void {
    const { [dimensionId]: _, ...others } = this.current.peek()
    this.set(segmentId === undefined ? others : { ...others, [dimensionId]: segmentId })
  }

  set(scope: Scope): void {
    const text = writeScope(knownScope(scope, this.#dimensions.peek()))
    keep(this.#browser.own, KEPT, text)
    // An empty scope is stated as well: the address has priority over the tab's memory.
    this.#router.replace({ ...this.#router.address.peek(), query: withScope(this.#router.query.peek(), text) })
  }

  /** The next or previous segment of the first dimension with several segments. */
  step(by: 1 | -1): void {
    const dimension = this.#dimensions.peek().find(({ segments }) => segments.length > 1)
    if (dimension === undefined) return
    const ids = [undefined, ...dimension.segments.map(({ id }) => id)]
    const at = ids.indexOf(segmentOf(this.current.peek(), dimension.id))
    this.choose(dimension.id, ids[(at + by + ids.length) % ids.length])
  }
}

/**
 * Returns the scope of a likely language, because a sheet without a language would show no translated text. The user's
 * language comes first, then English, then the first of the catalogue. `de_DE` also matches German.
 */
export function likelyScope(languages: readonly string[], dimensions: readonly SegmentedDimension[]): Scope {
  const wanted = [...languages.flatMap((tag) => [tag, languageIn(tag)]), ENGLISH].map((tag) => tag.toLowerCase())
  const likely = (dimension: SegmentedDimension, ...[segment]: readonly Segment[]): Scope[] =>
    segment === undefined ? [] : [{ [dimension.id]: segment.id }]
  const spoken = dimensions.flatMap((one) => likely(one, ...spokenIn(one, wanted)))
  return [...spoken, ...dimensions.filter(isOfLanguages).flatMap((one) => likely(one, ...one.segments))][0] ?? {}
}

type Segment = SegmentedDimension['segments'][number]

const tagOf = ({ id }: Segment): string => id.replaceAll('_', '-').toLowerCase()
const languageIn = (tag: string): string => tag.split('-')[0]!
const isOfLanguages = ({ segments }: SegmentedDimension): boolean => segments.every((one) => isLanguage(tagOf(one)))

/** The segments of the wanted languages, the best first. */
function spokenIn(dimension: SegmentedDimension, wanted: readonly string[]): readonly Segment[] {
  const { segments } = dimension
  const byTag = (tag: string) => segments.find((one) => tagOf(one) === tag)
  const byLanguage = (tag: string) =>
    isOfLanguages(dimension) ? segments.find((one) => languageIn(tagOf(one)) === tag) : undefined
  return wanted.flatMap((tag) => byTag(tag) ?? byLanguage(tag) ?? [])
}

/** `-`: explicitly every scope. */
function withScope(query: Readonly<Record<string, string>>, text: string): Readonly<Record<string, string>> {
  return { ...query, scope: text === '' ? '-' : text }
}

/** Drops parts that the model does not know; in the order of the dimensions. */
function knownScope(scope: Scope, dimensions: readonly SegmentedDimension[]): Scope {
  return Object.fromEntries(
    dimensions.flatMap(({ id, segments }) => {
      const segment = segmentOf(scope, id)
      return segment !== undefined && segments.some((known) => known.id === segment) ? [[id, segment]] : []
    }),
  )
}
