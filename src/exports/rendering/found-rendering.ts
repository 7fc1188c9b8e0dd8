// Rendering what a search finds as a file: the records of one snapshot, through flattening and a format, to chunks of bytes.
// Contract 3 §11. Runs in a thread of its own (`render-thread.ts`).
import { pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Schema } from '../../core/model/rules/model.ts'
import type { FoundSnapshot } from '../../store/snapshot-port.ts'
import type { FilePart } from '../formats/format.ts'
import { fileBytes } from '../formats/index.ts'
import { createRecordWriter } from './record-writer.ts'
import type { FoundRequest } from './render-messages.ts'

/** After so long the thread hears whether it shall stop. */
const SLICE_MILLISECONDS = 20

/** The bytes of the file. Records are read when more of it is asked for. */
export async function* renderFound(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<Uint8Array, void> {
  const bytes = fileBytes(request.format, inSlices(partsOf(snapshot, request)), request.sheet)
  if (!request.compress) {
    yield* bytes
    return
  }
  const gzip = createGzip()
  // A fault of either ends both; whoever reads is told.
  pipeline(Readable.from(bytes, { highWaterMark: 1 }), gzip, () => undefined)
  yield* gzip as AsyncIterable<Buffer>
}

/** An empty part gives others their turn. */
async function* partsOf(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<FilePart | undefined, void> {
  const { model } = snapshot
  const { role, schemaId } = request.query
  const schemas = searched([...model.schemas.values()], schemaId)
  const categoriesOf = (catalogId: string) => snapshot.categoriesOf(catalogId)
  const writer = await createRecordWriter(request, { model, role, schemas, isDelta: false, categoriesOf })
  const { survey } = writer
  if (survey !== undefined) {
    for await (const batch of snapshot.batches()) {
      batch.forEach(survey)
      yield undefined
    }
  }
  yield writer.begin()
  for await (const batch of snapshot.batches(writer)) yield batch.length === 0 ? undefined : writer.write(batch)
  yield writer.end()
  if (writer.mustBeginAgain?.() === true) throw new Error('The export met records that were not there before')
}

async function* inSlices(parts: AsyncIterable<FilePart | undefined>): AsyncGenerator<FilePart, void> {
  let end = performance.now() + SLICE_MILLISECONDS
  for await (const part of parts) {
    if (part !== undefined) yield part
    if (performance.now() <= end) continue
    await setImmediate()
    end = performance.now() + SLICE_MILLISECONDS
  }
}

function searched(schemas: readonly Schema[], schemaId: string | undefined): readonly Schema[] {
  return schemaId === undefined ? schemas : schemas.filter(({ id }) => id === schemaId)
}
