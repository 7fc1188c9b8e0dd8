// The guide of each place: a page that the server serves, and the section in it.

interface Guide {
  readonly name: 'console' | 'import' | 'exports' | 'events' | 'history' | 'bulk'
  /** Below `/docs/guides/`. */
  readonly address: string
}

const GUIDES: ReadonlyMap<string, Guide> = new Map([
  ['', { name: 'console', address: 'console#finding-your-way' }],
  ['records', { name: 'console', address: 'console#the-sheet-of-records' }],
  ['views', { name: 'console', address: 'console#the-sheet-of-records' }],
  ['imports', { name: 'import', address: 'import' }],
  ['exports', { name: 'exports', address: 'exports' }],
  ['sheets', { name: 'exports', address: 'exports#product-sheets' }],
  ['subscriptions', { name: 'events', address: 'events' }],
  ['bulk', { name: 'bulk', address: 'bulk' }],
  ['activity', { name: 'history', address: 'history' }],
  ['schemas', { name: 'console', address: 'console#the-model' }],
  ['dimensions', { name: 'console', address: 'console#the-model' }],
  ['workflows', { name: 'console', address: 'console#the-model' }],
  ['users', { name: 'console', address: 'console#people' }],
  ['roles', { name: 'console', address: 'console#people' }],
  ['keys', { name: 'console', address: 'console#people' }],
])

/** The pages that the help leads to, for tests. */
export const GUIDE_ADDRESSES: readonly string[] = [...GUIDES.values()].map(({ address }) => address)

export function guideOf(place: string): Guide {
  return GUIDES.get(place) ?? { name: 'console', address: 'console' }
}
