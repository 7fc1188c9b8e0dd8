// Rendering what a search finds as a file: the records of one snapshot, through flattening and a format, to chunks of bytes.
// Contract 3 §11. Runs in a thread of its own (`render-thread.ts`).
import { pipeline, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { createCategoryPaths } from '../domain/exports/category-paths.ts'
import { catalogsOf, type ColumnValue, createRows } from '../domain/exports/columns.ts'
import { type ExportedRecord, exportedAttributes } from '../domain/exports/flatten.ts'
import type { Attribute } from '../domain/model/attributes.ts'
import type { Schema } from '../domain/model/model.ts'
import type { FoundSnapshot, SnapshotRecord } from '../storage/search-port.ts'
import { columnFormats } from './formats/column-formats.ts'
import { formats } from './formats/index.ts'
import { createLayers, createReading } from './rendering.ts'
import type { FoundRequest } from './render-messages.ts'

/** Characters of a chunk, at least, but for the last one. */
const CHUNK = 65_536
/** After so long the thread hears whether it shall stop. */
const SLICE_MILLISECONDS = 20

/** The bytes of the file. Records are read when more of it is asked for. */
export async function* renderFound(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<Uint8Array, void> {
  const text = inChunks(request.columns === null ? recordsText(snapshot, request) : rowsText(snapshot, request))
  if (!request.compress) {
    for await (const chunk of text) yield Buffer.from(chunk)
    return
  }
  const gzip = createGzip()
  // A fault of either ends both; whoever reads is told.
  pipeline(Readable.from(text, { highWaterMark: 1 }), gzip, () => undefined)
  yield* gzip as AsyncIterable<Buffer>
}

/** Some of the text may be empty: then others have their turn. */
async function* recordsText(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<string, void> {
  const { format, query, dimensionScope, select, variantValues, dialect } = request
  const { model } = snapshot
  const { role } = query
  const selected = select && new Set(select)
  const isSelected = ({ alias }: Attribute): boolean => selected?.has(alias) !== false
  const flatten = createReading({ model, role, dimensionScope, variantValues })
  const read = (record: SnapshotRecord): ExportedRecord => {
    const { head, attributes } = flatten(record)
    return { head, attributes: attributes.filter(({ attribute }) => isSelected(attribute)) }
  }
  const schemas = searched([...model.schemas.values()], query.schemaId)
  const writer = formats[format]({
    isFlat: dimensionScope !== null,
    spreadsheetSafe: false,
    attributes: schemas.flatMap((schema) => exportedAttributes(schema, role)).filter(isSelected),
    dimensions: model.dimensions,
    dialect,
  })
  if (writer.survey !== undefined) {
    for await (const batch of snapshot.batches()) {
      for (const record of batch) writer.survey(read(record))
      yield ''
    }
  }
  yield writer.begin()
  for await (const batch of snapshot.batches()) yield batch.length === 0 ? '' : writer.write(batch.map(read))
  yield writer.end()
  if (writer.mustBeginAgain?.() === true) throw new Error('The export met records that were not there before')
}

async function* rowsText(snapshot: FoundSnapshot, request: FoundRequest): AsyncGenerator<string, void> {
  const { columns, format, query, dimensionScope, variantValues, dialect } = request
  const { model } = snapshot
  const catalogIds = catalogsOf(columns!)
  const categories = (await Promise.all(catalogIds.map((id) => snapshot.categoriesOf(id)))).flat()
  const pathsOf = createCategoryPaths(categories)
  const rowOf = createRows(columns!, { model, role: query.role, dimensionScope, pathsOf })
  const layersOf = createLayers(variantValues)
  const read = (record: SnapshotRecord): ColumnValue[] => rowOf(record, layersOf(record), record.categoryIds)
  const writer = columnFormats[format]({ headers: columns!.map(({ header }) => header), dialect })
  yield writer.begin()
  for await (const batch of snapshot.batches({ withCategories: catalogIds.length > 0 }))
    yield batch.length === 0 ? '' : writer.write(batch.map(read))
  yield writer.end()
}

/** As UTF-8, which the file is written in, makes it. */
async function* inChunks(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let collected = ''
  let end = performance.now() + SLICE_MILLISECONDS
  for await (const part of text) {
    collected += part
    if (performance.now() > end) {
      await setImmediate()
      end = performance.now() + SLICE_MILLISECONDS
    }
    if (collected.length < CHUNK) continue
    yield collected
    collected = ''
  }
  if (collected !== '') yield collected
}

function searched(schemas: readonly Schema[], schemaId: string | undefined): readonly Schema[] {
  return schemaId === undefined ? schemas : schemas.filter(({ id }) => id === schemaId)
}
