// Rendering an export: the records of one snapshot, through flattening and a format, to text or to a finished spool
// file. Contract 2 §6. Runs in a thread of its own (`render-thread.ts`).
import { setImmediate } from 'node:timers/promises'
import { notFound } from '../domain/errors.ts'
import {
  createFlatten,
  type ExportedRecord,
  exportedAttributes,
  type ExportView,
  type VariantValues,
} from '../domain/exports/flatten.ts'
import { assertPermission } from '../domain/accounts/permissions.ts'
import type { ValueLayers, Values } from '../domain/records/record.ts'
import type { FormatWriter } from './formats/format.ts'
import { formats } from './formats/index.ts'
import type { ExportSelection, Rendered, RenderRequest } from './render-messages.ts'
import { type SpoolFile, writeSpoolFile } from './spool-writer.ts'
import type { RecordSnapshot, SnapshotFilter, SnapshotRecord } from '../storage/search-port.ts'

/** Characters of stored values after which a preview ends, however many records were asked for. */
const PREVIEW_CHARACTERS = 1024 * 1024

/**
 * Renders into `request.spoolFile`, which must exist, and resolves when it is complete and durable.
 * @throws see `Renderer.render`
 */
export async function renderExport(
  snapshot: RecordSnapshot,
  request: RenderRequest,
  signal: AbortSignal,
): Promise<Rendered> {
  const { filter, read, writer } = prepare(snapshot, request)
  const expected = await snapshot.count(filter)
  const { survey } = writer
  if (survey !== undefined) {
    for await (const batch of snapshot.sample(filter)) {
      for (const record of batch) survey(read(record))
      await takeTurns(signal)
    }
  }
  let recordCount = 0
  async function* text(): AsyncGenerator<string, void> {
    recordCount = 0
    yield writer.begin()
    for await (const batch of snapshot.batches(filter)) {
      yield writer.write(batch.map(read))
      recordCount += batch.length
      await takeTurns(signal)
    }
    yield writer.end()
  }
  const write = (): Promise<SpoolFile> => writeSpoolFile(request.spoolFile, text(), request.compress, signal)
  let file = await write()
  if (writer.mustBeginAgain?.()) file = await write()
  if (writer.mustBeginAgain?.()) throw new Error('The export met records that were not there before')
  if (recordCount !== expected) throw new Error(`The export wrote ${recordCount} records of ${expected}`)
  return { recordCount, ...file }
}

/** The text of the first `limit` records, uncompressed. */
export async function previewExport(
  snapshot: RecordSnapshot,
  selection: ExportSelection,
  limit: number,
): Promise<string> {
  const { filter, read, writer } = prepare(snapshot, selection)
  const shown: ExportedRecord[] = []
  let characters = 0
  reading: for await (const batch of snapshot.batches(filter)) {
    for (const record of batch) {
      if (shown.length >= limit || characters > PREVIEW_CHARACTERS) break reading
      shown.push(read(record))
      characters += record.valuesJson.length
    }
  }
  if (writer.survey !== undefined) shown.forEach(writer.survey)
  // As UTF-8, which a file is written in, makes it.
  return (writer.begin() + writer.write(shown) + writer.end()).toWellFormed()
}

/** Lets the thread hear that it shall stop, and the compression go on. */
async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

interface Preparation {
  readonly filter: SnapshotFilter
  readonly read: (record: SnapshotRecord) => ExportedRecord
  readonly writer: FormatWriter
}

function prepare({ model }: RecordSnapshot, selection: ExportSelection): Preparation {
  const { format, schemaId, catalogId, dimensionScope, includeVariants, variantValues, spreadsheetSafe } = selection
  const role = model.roles.get(selection.roleId)
  if (role === undefined) throw notFound('Role', selection.roleId)
  assertPermission(role, 'records.read')
  const schemas = [...model.schemas.values()].filter((schema) => schemaId === null || schema.id === schemaId)
  return {
    filter: { schemaId, catalogId, includeVariants, lifecycleStateIds: selection.includeLifecycleStateIds },
    read: createReading({ model, role, dimensionScope, variantValues }),
    writer: formats[format]({
      isFlat: dimensionScope !== null,
      spreadsheetSafe,
      attributes: schemas.flatMap((schema) => exportedAttributes(schema, role)),
      dimensions: model.dimensions,
    }),
  }
}

/** Variants often come one after another: their parents' values are parsed once. */
const KEPT_PARENTS = 100

export function createReading(view: ExportView): (record: SnapshotRecord) => ExportedRecord {
  const flatten = createFlatten(view)
  const layersOf = createLayers(view.variantValues)
  return (record) => flatten(record, layersOf(record))
}

/** The way from a stored record to its values. */
export function createLayers(variantValues: VariantValues): (record: SnapshotRecord) => ValueLayers {
  const parents = new Map<string, Values>()
  const parentOf = (parentId: string, valuesJson: string): Values => {
    const known = parents.get(parentId)
    if (known !== undefined) return known
    if (parents.size >= KEPT_PARENTS) parents.clear()
    const values = JSON.parse(valuesJson) as Values
    parents.set(parentId, values)
    return values
  }
  return (record) => {
    const { parentId, parentValuesJson, valuesJson } = record
    const isPlain = parentId === null || parentValuesJson === null || variantValues === 'own'
    const inherited = isPlain ? null : parentOf(parentId, parentValuesJson)
    return { own: JSON.parse(valuesJson) as Values, inherited }
  }
}
