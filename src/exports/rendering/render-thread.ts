// A thread that renders one export and ends. A fault in it, or too little memory, ends this export only. Contract 2 §6, 3 §11.
import { workerData } from 'node:worker_threads'
import { onlyStep, serveTasks, stepsOf } from '../../kernel/worker.ts'
import type { OpenFoundSnapshot, OpenRecordSnapshot, StoreLocation } from '../../store/port.ts'
import type {
  ExportSelection,
  Rendered,
  RenderParts,
  RenderProgress,
  RenderRequest,
  RenderTask,
  RenderThreadData,
  FoundRequest,
} from './render-messages.ts'
import { allOf, foundBy, previewExport, type RecordSource, renderExport } from './rendering.ts'
import { pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Schema } from '../../core/model/rules/model.ts'
import type { FoundSnapshot } from '../../store/snapshot-port.ts'
import type { FilePart } from '../formats/format.ts'
import { fileBytes } from '../formats/file-formats.ts'
import { createRecordWriter } from './record-writer.ts'

/** Access of a thread to the stored data. */
interface Snapshots {
  readonly openSnapshot: OpenRecordSnapshot
  readonly openFoundSnapshot: OpenFoundSnapshot
}

export function runRenderThread(snapshots: Snapshots): void {
  const { location } = workerData as RenderThreadData
  serveTasks<RenderTask, RenderParts[RenderTask['kind']], RenderProgress>((task, tell) => {
    if (task.kind !== 'stream') return onlyStep((signal) => runTask(task, location, snapshots, { signal, tell }))
    // The end of the thread closes all that is open.
    return { ...stepsOf(chunksOf(task, location, snapshots)), stop: () => process.exit() }
  })
}

type StreamTask = Extract<RenderTask, { kind: 'stream' }>

async function* chunksOf(
  { request, queryTimeout }: StreamTask,
  location: StoreLocation,
  { openFoundSnapshot }: Snapshots,
): AsyncGenerator<Uint8Array, void> {
  const snapshot = await openFoundSnapshot(location, request.query, queryTimeout)
  try {
    yield* renderFound(snapshot, request)
  } finally {
    await snapshot.close()
  }
}

async function runTask(
  task: Exclude<RenderTask, StreamTask>,
  location: StoreLocation,
  snapshots: Snapshots,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (done: RenderProgress) => void },
): Promise<Rendered | string> {
  const selection = task.kind === 'preview' ? task.selection : task.request
  const { source, close } = await openSource(selection, location, snapshots)
  try {
    if (task.kind === 'preview') return await previewExport(source, task.selection, task.limit)
    return await renderExport(source, task.request, { signal, onProgress: tell })
  } finally {
    await close()
  }
}

async function openSource(
  selection: ExportSelection & Pick<RenderRequest, 'feed'>,
  location: StoreLocation,
  { openSnapshot, openFoundSnapshot }: Snapshots,
): Promise<{ source: RecordSource; close: () => Promise<void> }> {
  if (selection.query === null) {
    const snapshot = await openSnapshot(location)
    return { source: allOf(snapshot, selection), close: () => snapshot.close() }
  }
  // A run has its own time limit.
  const snapshot = await openFoundSnapshot(location, selection.query, Infinity)
  try {
    return { source: await foundBy(snapshot, selection, selection.feed), close: () => snapshot.close() }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** Milliseconds of work between two checks whether the thread shall stop. */
const SLICE_MILLISECONDS = 20

/** The bytes of the file. Records are read when the next bytes are requested. */
async function* renderFound(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<Uint8Array, void> {
  const bytes = fileBytes(request.format, inSlices(partsOf(snapshot, request)), request.sheet)
  if (!request.compress) {
    yield* bytes
    return
  }
  const gzip = createGzip()
  // A fault of either stream ends both, and reaches the reader.
  pipeline(Readable.from(bytes, { highWaterMark: 1 }), gzip, () => undefined)
  yield* gzip as AsyncIterable<Buffer>
}

/** An empty part lets other work run. */
async function* partsOf(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<FilePart | undefined, void> {
  const { model } = snapshot
  const { role, schemaId } = request.query
  const schemas = searched([...model.schemas.values()], schemaId)
  const categoriesOf = (catalogId: string) => snapshot.categoriesOf(catalogId)
  const linked = (ids: readonly string[]) => snapshot.linked(ids)
  const writer = await createRecordWriter(request, { model, role, schemas, isDelta: false, categoriesOf, linked })
  const { survey } = writer
  if (survey !== undefined) {
    for await (const batch of snapshot.batches()) {
      batch.forEach(survey)
      yield undefined
    }
  }
  yield writer.begin()
  for await (const batch of snapshot.batches(writer)) yield batch.length === 0 ? undefined : await writer.write(batch)
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
