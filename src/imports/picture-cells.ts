// Puts records of pictures in the place of the files that a cell of references names: those that hold the same bytes, or new ones.
// Contract 3 §4.
import { canRead, assertPermission, hasPermission } from '../core/accounts/rules/permissions.ts'
import type { FileName } from '../core/datatypes/file.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { createRecord } from '../core/records/records.ts'
import type { AssigningTransaction } from '../core/records/record-categories.ts'
import { targetOfFile } from '../core/values/values.ts'
import type { RecordReads } from '../store/record-port.ts'
import type { FileColumn } from './file-cells.ts'
import type { Importer } from './import-line.ts'
import type { RecordLine } from './rules/import-outcome.ts'
import { pictureAttribute } from './rules/picture-attribute.ts'

/** The part of a transaction that writing a line needs. */
export type LineTransaction = AssigningTransaction & { readonly records: Pick<RecordReads, 'referrers'> }

/** Where the pictures of a column are kept. */
interface PicturePlace {
  readonly schema: Schema
  readonly alias: string
}

/** `made`: the IDs of the records that are new. Throws as creating a record does. */
export async function placePictures(
  tx: LineTransaction,
  importer: Importer,
  line: RecordLine,
  schema: Schema,
): Promise<{ readonly line: RecordLine; readonly made: readonly string[] }> {
  const columns = importer.pictureColumns ?? []
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
      const [sha256 = '', ...name] = part.split(' ')
      const file = { sha256, fileName: name.join(' ') }
      const known = await findPicture(tx, importer, place, file)
      const id = known ?? (await makePicture(tx, importer, place, file))
      if (known === undefined) made.push(id)
      ids.push(id)
    }
    cells[column.cell] = [...new Set(ids)].join('|')
  }
  return { line: { ...line, cells }, made }
}

function placeOf({ alias }: FileColumn, schema: Schema, model: Model): PicturePlace | undefined {
  const attribute = schema.attribute(alias)
  const found = attribute && pictureAttribute(attribute, model)
  return found && { schema: found.schema, alias: found.attribute.alias }
}

async function findPicture(
  tx: LineTransaction,
  { caller: { role } }: Importer,
  { schema, alias }: PicturePlace,
  { sha256 }: FileName,
): Promise<string | undefined> {
  if (!hasPermission(role, 'records.read') || !canRead(role, schema.id, alias)) return undefined
  const asked = { targetIds: [targetOfFile(sha256)], attributes: [{ schemaId: schema.id, alias }], limit: 1 }
  return (await tx.records.referrers(asked))[0]?.recordId
}

async function makePicture(
  tx: LineTransaction,
  { system, caller, maxRecords, origin }: Importer,
  { schema, alias }: PicturePlace,
  value: FileName,
): Promise<string> {
  assertPermission(caller.role, 'records.create')
  const values = { [alias]: [{ scope: {}, value }] }
  const input = { schemaId: schema.id, parentId: null, values, origin }
  return (await createRecord(tx, system, caller, input, maxRecords)).id
}
