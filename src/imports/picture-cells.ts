// Replaces the files that a cell of references names by records of pictures: records that hold the same bytes, or new
// records. Contract 3 §4.
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission, canRead, hasPermission } from '../core/accounts/rules/permissions.ts'
import type { FileName } from '../core/datatypes/file.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { createRecord } from '../core/records/records.ts'
import type { AssigningTransaction } from '../core/records/record-categories.ts'
import type { ChangeOrigin } from '../core/records/rules/changes.ts'
import type { System } from '../kernel/machine/system.ts'
import { targetOfFile } from '../core/values/values.ts'
import type { RecordReads } from '../store/record-port.ts'
import { type FileColumn, RECORD_SIGN } from './file-cells.ts'
import type { RecordLine } from './rules/import-outcome.ts'
import { pictureAttribute, type PicturePlace } from './rules/picture-attribute.ts'

/** The part of a transaction that writing a line needs. */
export type LineTransaction = AssigningTransaction & { readonly records: Pick<RecordReads, 'referrers'> }

interface PictureMaker {
  readonly system: System
  readonly caller: Caller
  /** 0: no limit. */
  readonly maxRecords: number
  readonly origin: ChangeOrigin
  readonly pictureColumns?: readonly FileColumn[] | undefined
}

/** `made`: the IDs of the records that are new. Throws as creating a record does. */
export async function placePictures(
  tx: LineTransaction,
  maker: PictureMaker,
  line: RecordLine,
  schema: Schema,
): Promise<{ readonly line: RecordLine; readonly made: readonly string[] }> {
  const columns = maker.pictureColumns ?? []
  if (line.kind !== 'row' || columns.length === 0) return { line, made: [] }
  const model = await tx.model()
  const cells = [...line.cells]
  const made: string[] = []
  for (const column of columns) {
    const text = cells[column.cell]
    const place = placeOf(column, schema, model)
    if (typeof text !== 'string' || text === '' || place === undefined) continue
    const ids: string[] = []
    for (const part of text.split('|')) {
      const known = part.startsWith(RECORD_SIGN) ? part.slice(1) : await findPicture(tx, maker, place, fileOf(part))
      const id = known ?? (await makePicture(tx, maker, place, fileOf(part)))
      if (known === undefined) made.push(id)
      ids.push(id)
    }
    cells[column.cell] = [...new Set(ids)].join('|')
  }
  return { line: { ...line, cells }, made }
}

function fileOf(part: string): FileName {
  const [sha256 = '', ...name] = part.split(' ')
  return { sha256, fileName: name.join(' ') }
}

function placeOf({ alias }: FileColumn, schema: Schema, model: Model): PicturePlace | undefined {
  const attribute = schema.attribute(alias)
  return attribute && pictureAttribute(attribute, model)
}

/** The record of a picture that holds the bytes, as far as the role may read it. */
export async function findPicture(
  tx: { readonly records: Pick<RecordReads, 'referrers'> },
  { caller: { role } }: Pick<PictureMaker, 'caller'>,
  { schema, attribute: { alias } }: PicturePlace,
  { sha256 }: Pick<FileName, 'sha256'>,
): Promise<string | undefined> {
  if (!hasPermission(role, 'records.read') || !canRead(role, schema.id, alias)) return undefined
  const asked = { targetIds: [targetOfFile(sha256)], attributes: [{ schemaId: schema.id, alias }], limit: 1 }
  return (await tx.records.referrers(asked))[0]?.recordId
}

/** Resolves to the ID of a new record. */
export async function makePicture(
  tx: LineTransaction,
  { system, caller, maxRecords, origin }: PictureMaker,
  { schema, attribute: { alias } }: PicturePlace,
  value: FileName,
): Promise<string> {
  assertPermission(caller.role, 'records.create')
  const values = { [alias]: [{ scope: {}, value }] }
  const input = { schemaId: schema.id, parentId: null, values, origin }
  return (await createRecord(tx, system, caller, input, maxRecords)).id
}
