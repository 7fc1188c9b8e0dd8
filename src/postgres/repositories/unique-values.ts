// The unique values of a schema's records, and their holders. Keys may be long, so their digests are compared.
import { conflict } from '../../kernel/errors.ts'
import { describeTaken, type UniqueKey } from '../../core/values/values.ts'
import { digestOfKey } from '../../store/moving/digests.ts'
import type { RecordIdentity } from '../../store/record-port.ts'
import type { Load } from '../../store/rows/session.ts'
import type { Session, UniquePlace } from '../session.ts'

function placeOf(schemaId: string, { alias, scope, key }: UniqueKey): UniquePlace {
  return { schemaId, alias, scope, key: digestOfKey(key) }
}

function idOf({ schemaId, alias, scope, key }: UniquePlace): string {
  return JSON.stringify([schemaId, alias, scope, key.toString('base64')])
}

function placeOfId(id: string): UniquePlace {
  const [schemaId, alias, scope, key] = JSON.parse(id) as [string, string, string, string]
  return { schemaId, alias, scope, key: Buffer.from(key, 'base64') }
}

/** Loads the holders of places, by `idOf`. */
const holders: Load<string> = async (ids, from) => {
  const wanted = ids.map(placeOfId)
  const rows = await from.rows<UniquePlace & { readonly holder: string }>(
    `SELECT schema_id AS "schemaId", alias, scope, key, record_id AS holder FROM unique_value
       WHERE (schema_id, alias, scope, key) IN
         (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]))`,
    (['schemaId', 'alias', 'scope', 'key'] as const).map((column) => wanted.map((place) => place[column])),
  )
  return new Map(rows.map(({ holder, ...place }) => [idOf(place), holder]))
}

/** Implements `setUniqueKeys` of the port: reads all holders before the first write. */
export async function setUniqueKeys(
  session: Session,
  { id, schemaId }: RecordIdentity,
  before: readonly UniqueKey[],
  after: readonly UniqueKey[],
): Promise<void> {
  const { writer } = session
  if (after.length + before.length === 0) return
  const [held, wanted] = [before, after].map((keys) => placesOf(schemaId, keys)) as [Places, Places]
  // The values of a new record rarely have a holder, so the answer is not awaited.
  const isNew = held.size === 0 && !writer.isAlone
  const ids = [...held.keys(), ...wanted.keys()]
  if (isNew)
    await writer.assume('unique', ids, holders, ({ size }) => {
      if (size > 0) throw conflict('Some of the values are held')
    })
  const found = isNew ? new Map<string, string>() : await session.look('unique', ids, holders)
  const missing: [string, UniquePlace][] = []
  for (const [text, { key, place }] of wanted) {
    if (held.has(text)) continue
    const holder = found.get(text)
    if (holder !== undefined && holder !== id) throw conflict(describeTaken(key))
    if (holder === undefined) missing.push([text, place])
  }
  for (const [text, { place }] of held)
    if (!wanted.has(text) && found.get(text) === id) writer.putUnique(text, place, id, undefined)
  for (const [text, place] of missing) writer.putUnique(text, place, undefined, id)
}

type Places = ReadonlyMap<string, { readonly key: UniqueKey; readonly place: UniquePlace }>

function placesOf(schemaId: string, keys: readonly UniqueKey[]): Places {
  return new Map(
    keys.map((key) => {
      const place = placeOf(schemaId, key)
      return [idOf(place), { key, place }]
    }),
  )
}

/** Returns the holder of each key, by index: a record ID, or undefined. */
export async function holdersOf(
  session: Session,
  schemaId: string,
  keys: readonly UniqueKey[],
): Promise<(string | undefined)[]> {
  const ids = keys.map((key) => idOf(placeOf(schemaId, key)))
  const found = await session.look('unique', ids, holders)
  return ids.map((id) => found.get(id))
}

/** Releases all unique values of a record. */
export async function releaseUniqueKeys(session: Session, id: string): Promise<void> {
  const { writer } = session
  const stored = await session.look<readonly UniquePlace[]>('uniques of', [id], async (recordIds, from) => {
    const sql = `SELECT record_id AS id, schema_id AS "schemaId", alias, scope, key FROM unique_value
      WHERE record_id = ANY ($1::text[])`
    return Map.groupBy(await from.rows<UniquePlace & { id: string }>(sql, [recordIds]), (row) => row.id)
  })
  const ids = stored.get(id)?.map(idOf) ?? []
  const found = await session.look('unique', [...ids, ...writer.uniquesOf(id)], holders)
  for (const [text, holder] of found) if (holder === id) writer.putUnique(text, placeOfId(text), id, undefined)
}
