// Looks up entries in lists of the model: a list may have thousands of entries, and one request may ask thousands of times.
// A list never changes, since a change of the model makes another one.

/** Entries of a list that is searched without a table. */
const FEW = 16

interface Entry {
  readonly id: string
}

const tables = new WeakMap<readonly Entry[], ReadonlyMap<string, Entry>>()
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** The entry with the ID. */
export function findById<Found extends Entry>(list: readonly Found[], id: string): Found | undefined {
  if (list.length <= FEW) return list.find((entry) => entry.id === id)
  let table = tables.get(list) as ReadonlyMap<string, Found> | undefined
  if (table === undefined) tables.set(list, (table = new Map(list.map((entry) => [entry.id, entry]))))
  return table.get(id)
}

/** Whether the text is in the list. */
export function holdsText(list: readonly string[], text: string): boolean {
  if (list.length <= FEW) return list.includes(text)
  let set = sets.get(list)
  if (set === undefined) sets.set(list, (set = new Set(list)))
  return set.has(text)
}
