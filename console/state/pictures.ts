// Files on their way to a record, and records that are pictures: a schema with a file. Contract 4 §1, 4 §2.
import type { Call } from '../api/call.ts'
import type { OnProgress } from '../api/progress.ts'
import type { Endpoints } from '../api/types.ts'
import type { FileValue } from '../../src/core/datatypes/file.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { ModelState, SeenSchema } from './model.ts'

/** The server detects the kind of a file by its content. The types that browsers send depend on the machine. */
export const AS_BYTES = { 'Content-Type': 'application/octet-stream' }

/** The picture of a record. */
export type Picture = NonNullable<Endpoints['POST /api/v1/search']['reply'][number]['image']>

export async function uploadFile(
  call: Call,
  file: File,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<FileValue> {
  const query = { fileName: file.name }
  const sent = { body: file, query, headers: AS_BYTES, signal, onProgress }
  const { pages: _, ...value } = (await call('POST /api/v1/files', sent)).body
  return value
}

/** A schema whose records are pictures, and the attribute that contains the file. */
export interface PictureSchema {
  readonly schema: SeenSchema
  readonly file: Attribute
}

/** Undefined: the attribute does not list pictures. */
export function pictureSchemaOf(
  model: ModelState,
  { dataType, validation }: Pick<Attribute, 'dataType' | 'validation'>,
): PictureSchema | undefined {
  const schema = dataType === 'references' ? model.schema(validation.schemaId ?? '') : undefined
  const files = schema?.attributes.filter(
    (one) => one.dataType === 'file' && model.access(schema.id, one.alias) !== 'none',
  )
  const file = files?.find(({ alias }) => alias === schema?.imageAttribute) ?? files?.[0]
  return schema === undefined || file === undefined ? undefined : { schema, file }
}

/** Returns whether the role may add pictures to the schema. */
export function mayMakePictures(model: ModelState, { schema, file }: PictureSchema): boolean {
  return model.may('files.write') && model.may('records.create') && model.access(schema.id, file.alias) === 'write'
}
