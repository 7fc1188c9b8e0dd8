// The section of the guide that explains a place: a page of the server, below `/docs/guides/`.

/** Sections by place; a key that ends in `/` is a place with an ID. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ['', 'home'],
  ['records', 'the-sheet-of-records'],
  ['records/', 'one-record'],
  ['views', 'the-sheet-of-records'],
  ['categories', 'categories'],
  ['exports', 'exports'],
  ['sheets', 'printing-and-sharing'],
  ['subscriptions', 'subscriptions'],
  ['imports', 'imports'],
  ['bulk', 'bulk-edit'],
  ['start', 'the-first-hour'],
  ['schemas', 'schemas'],
  ['dimensions', 'dimensions'],
  ['workflows', 'workflows'],
  ['for-me', 'working-together'],
  ['activity', 'activity'],
  ['users', 'users'],
  ['roles', 'roles'],
  ['keys', 'api-keys'],
  ['messenger', 'messages'],
  ['account', 'your-account'],
])

/** The address of a section below `/docs/guides/`. */
export type Guide = `console#${string}`

export function guideOf(place: string, id: string | null): Guide {
  const section = (id === null ? undefined : SECTIONS.get(`${place}/`)) ?? SECTIONS.get(place)
  return `console#${section ?? 'finding-your-way'}`
}
