// Shapes of files, and of rendition presets. Contract 4 §1, 4 §3.
import * as v from 'valibot'
import { MAX_FILE_NAME } from '../../core/values/file-name.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import type { UploadedFile } from '../files.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { FITS, FORMATS, ORIGINAL } from '../rules/presets.ts'

const FileNameInput = v.pipe(
  v.string('must be a string'),
  v.maxLength(1024, 'must be at most 1024 characters long'),
  v.description(
    `The name of the file. The server removes paths and control characters, and keeps ${MAX_FILE_NAME} characters.`,
  ),
)

export const UploadFileQuery = exactObject({ fileName: v.optional(FileNameInput) })

export const FetchFileBody = exactObject({
  url: v.pipe(
    v.string('must be a string'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(2048, 'must be at most 2048 characters long'),
    v.description('An http or https address that destinations may reach.'),
  ),
  fileName: v.optional(v.pipe(FileNameInput, v.description('Default: the last part of the address.'))),
})

export const FileQuery = exactObject({
  download: v.optional(v.pipe(v.string(), v.description('If given, a browser saves the file in place of showing it.'))),
})

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const FileShape = v.object({
  sha256: v.pipe(v.string(), v.description('The hash of the content, by which values name the file.')),
  fileName: v.string(),
  mediaType: v.pipe(v.string(), v.description('The type of the content. The name does not count.')),
  size: v.pipe(Count, v.description('Bytes.')),
  width: v.pipe(v.nullable(Count), v.description('Pixels of a picture as shown, with its orientation applied.')),
  height: v.nullable(Count),
  pages: v.pipe(v.nullable(Count), v.description('Pages or frames, if known.')),
  thumbhash: v.pipe(
    v.nullable(v.string()),
    v.description('A tiny preview of a picture in base64: see https://github.com/evanw/thumbhash.'),
  ),
})

export function toFileBody({ file }: { readonly file: UploadedFile }): v.InferOutput<typeof FileShape> {
  const { sha256, fileName, mediaType, size, width, height, pages, thumbhash } = file
  return { sha256, fileName, mediaType, size, width, height, pages, thumbhash }
}

export const PresetShape = v.object({
  id: v.string(),
  width: v.optional(v.pipe(v.number(), v.description('Pixels.'))),
  height: v.optional(v.pipe(v.number(), v.description('Pixels.'))),
  fit: v.picklist(FITS),
  format: v.pipe(
    v.picklist([...FORMATS, ORIGINAL]),
    v.description('original: the bytes of the file as they are. Only the preset original has it.'),
  ),
  quality: v.optional(v.number()),
  background: v.optional(v.pipe(v.string(), v.description('A colour such as #ffffff.'))),
  focus: v.optional(v.pipe(v.string(), v.description('Alias of the attribute with the centre of a cover.'))),
})

export const RotationShape = v.object({ rotatedAt: Timestamp })
