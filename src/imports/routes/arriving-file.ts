// Turns the body of a request into an arriving file. Contract 2 §7, 3 §4.
import { MEDIA_TYPES, ZIP_TYPE } from '../rules/media-types.ts'
import type { Encoding } from '../../core/csv/source-dialect.ts'
import { invalid } from '../../kernel/errors.ts'
import { type ArrivingFile, IMPORT_FORMATS } from '../rules/import-outcome.ts'
import type { UploadedFile, UploadFormat } from '../rules/import-upload.ts'
import type { BodyStream } from '../../http/bodies/body-stream.ts'
import { own } from '../../kernel/own.ts'

export const IMPORT_TYPES = [MEDIA_TYPES.ndjson, MEDIA_TYPES.csv, MEDIA_TYPES.xlsx] as const
/** Media types of a zip; Windows has a name of its own. */
const ZIP_TYPES = [ZIP_TYPE, 'application/x-zip-compressed'] as const
/** Content types of an upload; for the last one, the file name gives the format. */
export const UPLOAD_TYPES = [...IMPORT_TYPES, ...ZIP_TYPES, 'application/octet-stream'] as const

export function toArrivingFile({
  contentType,
  charset: _charset,
  ...body
}: BodyStream<(typeof IMPORT_TYPES)[number]>): ArrivingFile<Buffer> {
  return { ...body, format: IMPORT_FORMATS.find((format) => MEDIA_TYPES[format] === contentType)! }
}

/** The encoding in the query takes precedence over the charset of the content type. */
export function withCharset<Query extends { readonly encoding?: Encoding | undefined }>(
  query: Query,
  { charset }: Pick<BodyStream, 'charset'>,
): Query {
  return charset === undefined || query.encoding !== undefined ? query : { ...query, encoding: charset }
}

const ENDINGS: Readonly<Record<string, UploadFormat>> = {
  csv: 'csv',
  txt: 'csv',
  tsv: 'csv',
  xlsx: 'xlsx',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  zip: 'zip',
}

/** @throws VALIDATION_ERROR where neither type nor name gives the format */
export function toUploadedFile(
  { contentType, charset: _charset, ...body }: BodyStream<(typeof UPLOAD_TYPES)[number]>,
  fileName: string,
): UploadedFile {
  const said = IMPORT_FORMATS.find((format) => MEDIA_TYPES[format] === contentType)
  if (said !== undefined) return { ...body, format: said }
  if (ZIP_TYPES.some((type) => type === contentType)) return { ...body, format: 'zip' }
  const format = own(ENDINGS, /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '')
  if (format === undefined)
    throw invalid('fileName must end in .csv, .xlsx, .jsonl, .ndjson or .zip, or the Content-Type tell')
  return { ...body, format }
}
