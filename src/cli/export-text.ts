// From records as the API serves them to the text of an exported file. The records' own values: what a variant inherits is
// its parent's, so that a file that is imported makes the same records again. Contract 2 §6, 2 §8.
import { createReadStream, createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Attribute } from '../domain/model/attributes.ts'
import type { Dimension } from '../domain/model/dimensions.ts'
import type { ExportFormat } from '../domain/exports/export-format.ts'
import type { ExportedRecord } from '../domain/exports/flatten.ts'
import { type ProductRecord, scopedValues } from '../domain/records/record.ts'
import { formats } from '../exports/formats/index.ts'
import { partOf, removePart } from '../machine/files.ts'

/** What of the model csv and xml need. */
export interface ExportModel {
  readonly dimensions: readonly Dimension[]
  readonly schemas: readonly { readonly id: string; readonly attributes: readonly Attribute[] }[]
}

/** JSON texts of full records, some at a time. */
export type RecordTexts = AsyncIterable<readonly string[]>

export async function* jsonLines(records: RecordTexts): AsyncGenerator<string, void> {
  for await (const some of records) if (some.length > 0) yield `${some.join('\n')}\n`
}

export async function* jsonArray(records: RecordTexts): AsyncGenerator<string, void> {
  let separator = '[\n'
  for await (const some of records) {
    if (some.length === 0) continue
    yield separator + some.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export async function* formatted(
  records: RecordTexts,
  format: Extract<ExportFormat, 'csv' | 'xml'>,
  model: ExportModel,
): AsyncGenerator<string, void> {
  const attributesOf = new Map(model.schemas.map(({ id, attributes }) => [id, attributes]))
  const read = (text: string): ExportedRecord => readExported(JSON.parse(text) as ProductRecord, attributesOf)
  const writer = formats[format]({
    isFlat: false,
    spreadsheetSafe: false,
    attributes: model.schemas.flatMap(({ attributes }) => attributes),
    dimensions: new Map(model.dimensions.map((dimension) => [dimension.id, dimension])),
  })
  const { survey } = writer
  const spool = survey === undefined ? undefined : partOf(path.join(tmpdir(), 'pimlet-export'))
  try {
    if (spool !== undefined) await writeSpool(spool, records, (text) => survey!(read(text)))
    yield writer.begin()
    const source = spool === undefined ? records : readLines(spool)
    for await (const some of source) if (some.length > 0) yield writer.write(some.map(read))
    yield writer.end()
  } finally {
    if (spool !== undefined) removePart(spool)
  }
}

function readExported(record: ProductRecord, attributesOf: ReadonlyMap<string, readonly Attribute[]>): ExportedRecord {
  const attributes = (attributesOf.get(record.schemaId) ?? []).flatMap((attribute) => {
    const values = scopedValues(record.values, attribute.alias)
    return values.length === 0 ? [] : [{ attribute, values }]
  })
  return { head: record, attributes }
}

/** Records to read again from a file at a time. */
const BATCH = 100

/** Shows every record to `look`, and keeps them to be read again. */
async function writeSpool(spool: string, records: RecordTexts, look: (text: string) => void): Promise<void> {
  const seen = async function* (): AsyncGenerator<string, void> {
    for await (const some of records) {
      some.forEach(look)
      if (some.length > 0) yield `${some.join('\n')}\n`
    }
  }
  await pipeline(seen, createWriteStream(spool, { flags: 'wx', mode: 0o600 }))
}

/** Not by readline: for it a line also ends at U+2028 and U+2029, which JSON has as they are. */
async function* readLines(file: string): AsyncGenerator<string[], void> {
  let batch: string[] = []
  let begun: string[] = []
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const [first, ...others] = chunk.split('\n')
    begun.push(first!)
    for (const next of others) {
      batch.push(begun.join(''))
      begun = [next]
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  }
  yield batch
}
