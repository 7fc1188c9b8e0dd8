// Finds the pictures that stand for some records: in their values, or in records that these name. Contract 4 §2.
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { Model } from '../../core/model/rules/model.ts'
import { firstImageOf, imageOf, type RecordImage } from '../../core/records/rules/record-image.ts'
import type { ValueLayers, Values } from '../../core/records/rules/record.ts'
import { toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { ReadRecord, SearchIndex } from '../../core/search/plan/search-index.ts'

/** By the number of the record; records without a picture are absent. */
export async function findImages(
  rows: readonly ReadRecord[],
  index: SearchIndex,
  { model, role }: { readonly model: Model; readonly role: Role },
): Promise<ReadonlyMap<number, RecordImage>> {
  const images = new Map<number, RecordImage>()
  const wanted = new Map<string, number[]>()
  for (const row of rows) {
    const first = firstOf(row, model, role)
    if (first === undefined) continue
    if ('file' in first) images.set(row.n, imageOf(row.id, first.file))
    else wanted.set(first.recordId, [...(wanted.get(first.recordId) ?? []), row.n])
  }
  if (wanted.size === 0) return images
  const numbers = await index.numbersOf([...wanted.keys()])
  for await (const pictures of index.records(toNumbers([...numbers.values()].toSorted((one, other) => one - other))))
    for (const picture of pictures) {
      const first = firstOf(picture, model, role)
      if (first === undefined || !('file' in first)) continue
      for (const n of wanted.get(picture.id) ?? []) images.set(n, imageOf(picture.id, first.file))
    }
  return images
}

function firstOf(row: ReadRecord, model: Model, role: Role): ReturnType<typeof firstImageOf> {
  const schema = model.schemas.get(row.schemaId)
  return schema?.imageAttribute === undefined ? undefined : firstImageOf(layersOf(row), schema, role)
}

export function layersOf({ valuesJson, inheritedJson }: ReadRecord): ValueLayers {
  return {
    own: JSON.parse(valuesJson) as Values,
    inherited: inheritedJson === null ? null : (JSON.parse(inheritedJson) as Values),
  }
}
