// Rendering an export: the records of one snapshot, through flattening and a format, to text or to a finished spool
// file. Contract 2 §6, 3 §5. Runs in a thread of its own (`render-thread.ts`).
import { setImmediate } from 'node:timers/promises'
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { notFound } from '../../kernel/errors.ts'
import { assertColumns } from '../rules/export-columns.ts'
import { previewFormat } from '../rules/export-format.ts'
import type { VariantValues } from '../../core/records/rules/exported-record.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { DeltaSource } from './delta-source.ts'
import { MemberFile } from './feed-members.ts'
import { FileListWriter, readKnown } from './file-list.ts'
import type { FileRules } from './row-files.ts'
import { assertFiles } from '../rules/job-files.ts'
import type { FilePart } from '../formats/format.ts'
import { fileBytes } from '../formats/file-formats.ts'
import { createRecordWriter, type RecordWriter } from './record-writer.ts'
import type {
  ExportSelection,
  FeedOrder,
  FileOrder,
  Rendered,
  RenderProgress,
  RenderRequest,
} from './render-messages.ts'
import { type SpoolFile, writeSpoolFile } from '../engine/spool.ts'
import type { FoundSnapshot, RecordSnapshot, SnapshotFilter, SnapshotRecord } from '../../store/snapshot-port.ts'

/** Characters of stored values, and of text, after which a preview ends, however many records were asked for. */
const PREVIEW_CHARACTERS = 1024 * 1024
/** Characters of a preview: hundreds of columns can repeat a long text of one record. */
const MAX_PREVIEW = 16 * PREVIEW_CHARACTERS

/** The records of an export, as they were at one moment. */
export interface RecordSource {
  readonly model: Model
  readonly categoriesOf: FoundSnapshot['categoriesOf']
  readonly linked: FoundSnapshot['linked']
  /** Every call starts at the first record. */
  batches(options: { readonly withCategories: VariantValues | undefined }): AsyncIterable<SnapshotRecord[]>
  /** The same of a small part of the records, where that can be had. */
  readonly sample: (() => AsyncIterable<SnapshotRecord[]>) | undefined
  /** The number of records, if it can be counted. */
  readonly count: (() => Promise<number>) | undefined
  /** For a job that makes deltas. */
  readonly delta?: DeltaSource | undefined
}

export function allOf(snapshot: RecordSnapshot, selection: ExportSelection): RecordSource {
  const { schemaId, catalogId, includeVariants, includeLifecycleStateIds: lifecycleStateIds } = selection
  const filter: SnapshotFilter = { schemaId, catalogId, includeVariants, lifecycleStateIds }
  return {
    model: snapshot.model,
    categoriesOf: async () => [],
    linked: (ids) => snapshot.linked(ids),
    batches: () => snapshot.batches(filter),
    sample: () => snapshot.sample(filter),
    count: () => snapshot.count(filter),
  }
}

export async function foundBy(
  snapshot: FoundSnapshot,
  selection: ExportSelection,
  feed?: FeedOrder,
): Promise<RecordSource> {
  const { query } = selection
  const isDelta = query !== null && feed !== undefined
  const delta = isDelta ? await DeltaSource.open(snapshot, selection, query, feed) : undefined
  return {
    model: snapshot.model,
    delta,
    categoriesOf: (catalogId) => snapshot.categoriesOf(catalogId),
    linked: (ids) => snapshot.linked(ids),
    batches: (options) => (delta ?? snapshot).batches(options),
    sample: undefined,
    count: undefined,
  }
}

/**
 * Renders into `request.spoolFile`, which must exist, and resolves when it is complete and durable.
 * @throws see `Renderer.render`
 */
export async function renderExport(
  source: RecordSource,
  request: RenderRequest,
  { signal, onProgress = () => undefined }: { signal: AbortSignal; onProgress?: (done: RenderProgress) => void },
): Promise<Rendered> {
  const { delta } = source
  const writer = await prepareWriter(source, request)
  const expected = await source.count?.()
  const { survey, withCategories } = writer
  if (survey !== undefined && source.sample !== undefined) {
    for await (const batch of source.sample()) {
      batch.forEach(survey)
      await takeTurns(signal)
    }
  }
  let recordCount = 0
  const size = { written: 0 }
  const tell = everySome(() => onProgress({ records: recordCount, total: expected ?? null, bytes: size.written }))
  async function* parts(): AsyncGenerator<FilePart, void> {
    recordCount = 0
    const members = delta && (await MemberFile.begin(request.feed!.memberFile))
    writer.files?.begin()
    const list = request.fileOrder && (await FileListWriter.begin(request.fileOrder.listFile))
    yield writer.begin()
    for await (const batch of source.batches({ withCategories })) {
      if (batch.length > 0) yield await writer.write(batch)
      await members?.present(batch.map(({ id }) => id))
      await list?.add(writer.files!.drain())
      recordCount += batch.length
      tell()
      await takeTurns(signal)
    }
    for await (const ids of delta?.gone() ?? []) {
      yield writer.writeDeleted(ids)
      await members?.gone(ids)
      recordCount += ids.length
      await takeTurns(signal)
    }
    yield writer.end()
    await members?.close()
    await list?.close()
  }
  const write = (): Promise<SpoolFile> => {
    const bytes = fileBytes(request.format, parts(), request.sheet)
    return writeSpoolFile(request.spoolFile, bytes, { compress: request.compress, signal, size })
  }
  let file = await write()
  if (writer.mustBeginAgain?.()) file = await write()
  if (writer.mustBeginAgain?.()) throw new Error('The export met records that were not there before')
  if (expected !== undefined && recordCount !== expected)
    throw new Error(`The export wrote ${recordCount} records of ${expected}`)
  return { recordCount, ...file, ...(delta && { feed: delta.result }) }
}

/** The text of the first `limit` records, uncompressed; of an xlsx as csv. */
export async function previewExport(source: RecordSource, selection: ExportSelection, limit: number): Promise<string> {
  const writer = await prepareWriter(source, { ...selection, format: previewFormat(selection.format) })
  const shown: SnapshotRecord[] = []
  let characters = 0
  reading: for await (const batch of source.batches(writer)) {
    for (const record of batch) {
      if (shown.length >= limit || characters > PREVIEW_CHARACTERS) break reading
      shown.push(record)
      characters += record.valuesJson.length
    }
  }
  if (writer.survey !== undefined) shown.forEach(writer.survey)
  let text = writer.begin() as string
  for (const record of shown) {
    if (text.length > PREVIEW_CHARACTERS) break
    text += (await writer.write([record])) as string
  }
  // Lone surrogates become the character that the UTF-8 of the file has.
  return `${text}${writer.end() as string}`.slice(0, MAX_PREVIEW).toWellFormed()
}

/** Milliseconds between two reports of progress. */
const TELLING = 250

function everySome(work: () => void): () => void {
  let last = performance.now()
  return () => {
    if (performance.now() - last < TELLING) return
    last = performance.now()
    work()
  }
}

/** Gives the event loop a turn, so that the thread hears a stop and the compression continues. */
async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

/** @throws NOT_FOUND, PERMISSION_DENIED for the role; VALIDATION_ERROR for a column whose attribute is gone */
async function prepareWriter(
  { model, categoriesOf, linked }: Pick<RecordSource, 'model' | 'categoriesOf' | 'linked'>,
  selection: ExportSelection & Pick<RenderRequest, 'feed' | 'fileOrder'>,
): Promise<RecordWriter> {
  const isDelta = selection.feed?.since !== undefined
  const role = roleOf(selection, model)
  const schemas = schemasOf(selection, model)
  if (selection.columns !== null) assertColumns(selection.columns, schemas, model, role)
  assertFiles({ files: selection.files?.settings ?? null, columns: selection.columns }, { model, role, schemas })
  const fileRules = await fileRulesOf(selection.fileOrder)
  return createRecordWriter(selection, { model, role, schemas, isDelta, categoriesOf, linked, fileRules })
}

async function fileRulesOf(order: FileOrder | undefined): Promise<FileRules | undefined> {
  if (order === undefined) return undefined
  const { reserved, knownFile } = order
  return { reserved, known: knownFile === undefined ? undefined : await readKnown(knownFile) }
}

function roleOf({ roleId }: ExportSelection, { roles }: Model): Role {
  const role = roles.get(roleId)
  if (role === undefined) throw notFound('Role', roleId)
  assertPermission(role, 'records.read')
  return role
}

function schemasOf({ schemaId }: ExportSelection, { schemas }: Model): Schema[] {
  return [...schemas.values()].filter((schema) => schemaId === null || schema.id === schemaId)
}
