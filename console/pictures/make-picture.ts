// Makes a value, or a picture record, of a file. Contract 4 §2.
import { type FileValue, findFileFault } from '../../src/core/datatypes/file.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Console } from '../state/console.ts'
import { newKey } from '../state/new-key.ts'
import type { PictureSchema } from '../state/pictures.ts'

/** The file breaks a rule of its attribute: the rest of a sentence, in the words of the server. */
export class PictureFault extends Error {}

/** @throws PictureFault */
export function assertAllowed(value: FileValue, { validation }: Pick<Attribute, 'validation'>): void {
  const fault = findFileFault(value, validation)
  if (fault !== undefined) throw new PictureFault(fault.problem)
}

/** Makes a record of the file, and returns its ID. @throws PictureFault, Refusal */
export async function makePicture(
  { call, offline }: Console,
  { schema, file }: PictureSchema,
  value: FileValue,
): Promise<string> {
  assertAllowed(value, file)
  const { sha256, fileName } = value
  const body = { schemaId: schema.id, values: { [file.alias]: [{ scope: {}, value: { sha256, fileName } }] } }
  const idempotencyKey = newKey()
  return (await offline.write(() => call('POST /api/v1/records', { body, idempotencyKey }))).body.id
}
