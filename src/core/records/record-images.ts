// Reads the pictures of a page of small records at once, because a reader thread would take longer. Contract 4 §2.
import type { Role } from '../accounts/rules/permissions.ts'
import type { Model } from '../model/rules/model.ts'
import type { RecordReads, StoredRecord } from '../../store/record-port.ts'
import type { FoundRecord } from '../../store/search-port.ts'
import { readableRecord } from './readable-records.ts'
import { firstImageOf, imageOf, type RecordImage } from './rules/record-image.ts'
import { parseValues } from './rules/record.ts'

/** The most characters of all values that are parsed together. */
const MAX_CHARACTERS = 262_144

type First = ReturnType<typeof firstImageOf>

/**
 * Returns the records as the role may see them, with the member `image`. @returns undefined: the values are large, or a
 * variant may inherit its picture; then a reader thread must read
 */
export async function withImages(
  items: readonly StoredRecord[],
  records: Pick<RecordReads, 'getMany'>,
  { model, role }: { readonly model: Model; readonly role: Role },
): Promise<FoundRecord[] | undefined> {
  if (charactersOf(items) > MAX_CHARACTERS) return undefined
  const firsts = items.map((item) => firstOf(item, model, role))
  if (firsts.some((first, at) => first === undefined && mayInherit(items[at]!, model))) return undefined
  const wanted = firsts.flatMap((first) => (first !== undefined && 'recordId' in first ? first.recordId : []))
  const pictures = wanted.length === 0 ? new Map<string, StoredRecord>() : await records.getMany([...new Set(wanted)])
  const named = [...pictures.values()]
  if (charactersOf(named) > MAX_CHARACTERS || named.some(({ parentId }) => parentId !== null)) return undefined
  const images = new Map(named.map((picture) => [picture.id, imageIn(picture, firstOf(picture, model, role))]))
  return items.map((item, at) => {
    const first = firsts[at]
    const image = first !== undefined && 'recordId' in first ? images.get(first.recordId) : imageIn(item, first)
    return { ...readableRecord(role, item), moreJson: `,"image":${JSON.stringify(image ?? null)}` }
  })
}

function charactersOf(records: readonly StoredRecord[]): number {
  return records.reduce((sum, { valuesJson }) => sum + valuesJson.length, 0)
}

function firstOf(record: StoredRecord, model: Model, role: Role): First {
  const schema = model.schemas.get(record.schemaId)
  if (schema?.imageAttribute === undefined) return undefined
  return firstImageOf({ own: parseValues(record), inherited: null }, schema, role)
}

function mayInherit({ parentId, schemaId }: StoredRecord, model: Model): boolean {
  return parentId !== null && model.schemas.get(schemaId)?.imageAttribute !== undefined
}

function imageIn({ id }: StoredRecord, first: First): RecordImage | undefined {
  return first !== undefined && 'file' in first ? imageOf(id, first.file) : undefined
}
