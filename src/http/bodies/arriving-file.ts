// The body of a request as a file that arrives. Contract 2 §7, 3 §4.
import { MEDIA_TYPES } from '../../domain/imports/media-types.ts'
import { type ArrivingFile, IMPORT_FORMATS } from '../../domain/records/import.ts'
import type { BodyStream } from './body-stream.ts'

export const IMPORT_TYPES = [MEDIA_TYPES.ndjson, MEDIA_TYPES.csv, MEDIA_TYPES.xlsx] as const

export function toArrivingFile({ contentType, ...body }: BodyStream<(typeof IMPORT_TYPES)[number]>): ArrivingFile {
  return { ...body, format: IMPORT_FORMATS.find((format) => MEDIA_TYPES[format] === contentType)! }
}
