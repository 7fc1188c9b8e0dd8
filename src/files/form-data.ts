// The one file of a `multipart/form-data` body, for tools that cannot send plain bytes. Contract 4 §1.
import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid, PimletError } from '../kernel/errors.ts'

export interface FilePart {
  readonly fileName: string | undefined
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Parts besides the file, and bytes of each header. */
const MAX_PARTS = 20
const MAX_HEADERS = 8 * 1024

/**
 * Resolves to the result of `take`, which reads the part `file` as it arrives, when the form has ended. After a fault of the form
 * `discard` undoes it.
 * @throws VALIDATION_ERROR for a body that is no form, has no part `file`, or has several; errors of `take` and `chunks`
 */
export async function takeFormFile<Result>(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  {
    take,
    discard,
  }: {
    readonly take: (part: FilePart) => Promise<Result>
    readonly discard: (result: Result) => Promise<void>
  },
): Promise<Result> {
  const form = openForm(contentType)
  const body = Readable.from(chunks, { objectMode: false })
  let part: Readable | undefined
  let taking: Promise<Result> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (field, stream, fileName) => {
        // Its reader sees errors, too; without a reader they would end the server.
        stream.on('error', () => undefined)
        // A browser sends a field without a chosen file as a part without a name.
        if (field === 'file' && fileName === '') return stream.resume()
        if (field !== 'file' || taking !== undefined) {
          stream.resume()
          return reject(invalid("The form must have one file, named 'file'"))
        }
        part = stream
        taking = take({ fileName, chunks: stream })
        taking.catch(reject)
      })
      form.on('finish', resolve)
      form.on('error', (error) => reject(asInvalid(error)))
      // An error of the body is the sender's fault, or ours, and says so itself.
      body.on('error', reject)
      body.pipe(form)
    })
  } catch (error) {
    body.unpipe(form)
    body.destroy()
    // The part ends with the form, so that nothing of it stays.
    part?.destroy(asInvalid(error))
    await taking?.then(discard, () => undefined)
    throw error
  }
  if (taking === undefined) throw invalid("The form must have a file, named 'file'")
  return taking
}

function openForm(contentType: string): InstanceType<typeof Busboy> {
  try {
    const limits = { parts: MAX_PARTS, fieldSize: MAX_HEADERS, headerSize: MAX_HEADERS, headerPairs: 50 }
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (error) {
    throw asInvalid(error)
  }
}

function asInvalid(error: unknown): PimletError {
  return new PimletError('VALIDATION_ERROR', 'The body is no complete multipart/form-data', { cause: error })
}
