// The model and the records of the demonstration, from the files of `demo/`.
import { type NewModel, NewModelInput } from '../../core/model/rules/new-model.ts'
import { pictureSchema } from '../../core/model/rules/picture-schema.ts'
import { type SavedQuery, SavedQueryInput } from '../../core/search/rules/saved-query.ts'
import { readDemoFile } from '../../kernel/executable/assets.ts'
import { parse } from '../../kernel/input/parse.ts'
import type { FileName } from '../../core/datatypes/file.ts'

/** `demo/pictures.json`: a further attribute of a schema, and the pictures of its records, in order. */
interface DemoPictures {
  readonly schemaId: string
  readonly attribute: { readonly alias: string }
  readonly records: readonly { readonly of: string; readonly pictures: readonly DemoPicture[] }[]
}

interface DemoPicture {
  readonly id: string
  /** In `demo/pictures`. */
  readonly file: string
  /** By language. */
  readonly alt: Readonly<Record<string, string>>
}

/** A body of POST /records. */
interface DemoRecord {
  readonly id: string
  readonly schemaId: string
  readonly values: Readonly<Record<string, readonly object[]>>
}

type Request = readonly [
  method: string,
  path: string,
  body: { readonly id: string; readonly name: string; readonly attributes: readonly object[] },
]

/** The requests of `demo/model.json` that make parts of the model, and pictures of teas. */
export function demoModel(): NewModel {
  const requests = JSON.parse(readDemoFile('model.json')) as Request[]
  const bodiesAt = (path: string) => requests.filter(([, at]) => at === path).map(([, , body]) => body)
  const catalogs = bodiesAt('/api/v1/catalogs').map((catalog) => ({
    ...catalog,
    categories: bodiesAt(`/api/v1/catalogs/${catalog.id}/categories`),
  }))
  const { schemaId, attribute } = demoPictures()
  const pictured = bodiesAt('/api/v1/schemas').map((schema) =>
    schema.id === schemaId
      ? { ...schema, imageAttribute: attribute.alias, attributes: [...schema.attributes, attribute] }
      : schema,
  )
  const dimensions = bodiesAt('/api/v1/dimensions')
  const schemas = [...pictured, pictureSchema({}, dimensions)]
  return parse(NewModelInput, { dimensions, workflows: bodiesAt('/api/v1/workflows'), schemas, catalogs }, 'demo')
}

/** Shared views of `demo/views.json`. */
export function demoViews(createdBy: string): SavedQuery[] {
  const views = JSON.parse(readDemoFile('views.json')) as (object & { readonly id: string })[]
  return views.map((view) => ({ ...parse(SavedQueryInput, view, 'demo'), id: view.id, createdBy }) as SavedQuery)
}

/** The pictures' files, each with its content, an SVG. */
export function demoFiles(): { readonly fileName: string; readonly content: Buffer }[] {
  return demoPictures()
    .records.flatMap(({ pictures }) => pictures)
    .map(({ file }) => ({ fileName: file, content: Buffer.from(readDemoFile(`pictures/${file}`)) }))
}

/** Lines of JSON for an import: the pictures, then the records that refer to them. `files`: the kept files of `demoFiles`. */
export function demoRecords(files: readonly FileName[]): Buffer {
  const { attribute, records } = demoPictures()
  const kept = new Map(files.map((file) => [file.fileName, file]))
  const pictures = records.flatMap((record) =>
    record.pictures.map((picture) => recordOf(picture, kept.get(picture.file)!)),
  )
  const picturesOf = new Map(records.map((record) => [record.of, record.pictures.map(({ id }) => id)]))
  const pictured = linesOf(readDemoFile('records.ndjson')).map((record) => {
    const ids = picturesOf.get(record.id)
    return ids === undefined ? record : { ...record, values: { ...record.values, [attribute.alias]: everywhere(ids) } }
  })
  return Buffer.from([...pictures, ...pictured].map((record) => `${JSON.stringify(record)}\n`).join(''))
}

function recordOf({ id, alt }: DemoPicture, { sha256, fileName }: FileName): DemoRecord {
  const alts = Object.entries(alt).map(([language, value]) => ({ scope: { language }, value }))
  return { id, schemaId: 'sch-picture', values: { content: everywhere({ sha256, fileName }), alt: alts } }
}

function demoPictures(): DemoPictures {
  return JSON.parse(readDemoFile('pictures.json')) as DemoPictures
}

function linesOf(text: string): DemoRecord[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DemoRecord)
}

function everywhere(value: unknown): object[] {
  return [{ scope: {}, value }]
}
