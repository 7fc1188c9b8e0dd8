// Places the files of a zip in the list of a record. Contract 4 §4.
import type { ZipMode } from './zip-mapping.ts'

interface Placed {
  readonly after: readonly string[]
  readonly isSame: boolean
  /** For each wanted record: its place in the list, from 1, and whether the list gets the record now. */
  readonly places: readonly { readonly place: number; readonly isChanged: boolean }[]
}

/** @param wanted records in order; one that stands twice counts once */
export function placeFiles(before: readonly string[], wanted: readonly string[], mode: ZipMode): Placed {
  const after = [...new Set(mode === 'append' ? [...before, ...wanted] : wanted)]
  const placeOf = new Map(after.map((id, index) => [id, index + 1]))
  const isSame = after.length === before.length && after.every((id, index) => id === before[index])
  const held = new Set(before)
  const isNew = wanted.map((id, index) => !held.has(id) && wanted.indexOf(id) === index)
  // The list loses records, or gets another order: that is a change by all files.
  const isOther = !isSame && !isNew.includes(true)
  const places = wanted.map((id, index) => ({ place: placeOf.get(id)!, isChanged: isOther || isNew[index]! }))
  return { after, isSame, places }
}
