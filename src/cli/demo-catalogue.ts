// Creates the catalogue of the demonstration over HTTP, as a user would: a model, records, and later changes.
import { readDemoFile } from '../kernel/executable/assets.ts'
import type { Connection } from '../kernel/settings/workspace-place.ts'
import { call, getJson, readJson } from './client.ts'

/**
 * One request of `demo/*.json`. A text is a csv file. `kept` names the ID in the response, which replaces `{kept}` in
 * later paths. WAIT polls a job or run until it has ended.
 */
type Request = readonly [method: 'POST' | 'PUT' | 'WAIT', path: string, body: unknown, kept?: string]

interface DemoOptions {
  /** Target directory of exports. */
  readonly folder: string
  /** A password that nobody needs to know. */
  readonly secret: string
}

export async function makeDemoCatalogue(connection: Connection, options: DemoOptions): Promise<void> {
  await sendAll(connection, 'model.json', options)
  const records = { type: 'application/x-ndjson', content: readDemoFile('records.ndjson') }
  const result = await call(connection, 'POST', '/api/v1/records/import', records)
  const { failed, errors } = await readJson<{ failed: number; errors: object[] }>(result)
  if (failed > 0) throw new Error(`Records of the demonstration are refused: ${JSON.stringify(errors)}`)
  await makeDemoPictures(connection)
  await sendAll(connection, 'work.json', options)
  await sendAll(connection, 'story.json', options)
}

/** `demo/pictures.json`: a further attribute of a schema, and pictures of its records, in order. */
interface DemoPictures {
  readonly schemaId: string
  readonly attribute: { readonly alias: string }
  readonly records: readonly { readonly of: string; readonly pictures: readonly Picture[] }[]
}

interface Picture {
  readonly id: string
  /** In `demo/pictures`. */
  readonly file: string
  /** By language. */
  readonly alt: Readonly<Record<string, string>>
}

/** Gives pictures to the teas, which have none before. */
export async function makeDemoPictures(connection: Connection): Promise<void> {
  const { schemaId, attribute, records } = JSON.parse(readDemoFile('pictures.json')) as DemoPictures
  await send(connection, 'POST', '/api/v1/schemas/picture', {})
  const path = `/api/v1/schemas/${schemaId}`
  const schema = await getJson<{ attributes: object[] }>(connection, path)
  const attributes = [...schema.attributes, attribute]
  await send(connection, 'PUT', path, { ...schema, attributes, imageAttribute: attribute.alias })
  const operations = await Promise.all(
    records.map(async ({ of, pictures }) => [
      ...(await Promise.all(pictures.map((picture) => creationOf(connection, picture)))),
      { op: 'patch', id: of, values: { [attribute.alias]: everywhere(pictures.map(({ id }) => id)) } },
    ]),
  )
  await send(connection, 'POST', '/api/v1/records/batch', { operations: operations.flat() })
}

async function creationOf(connection: Connection, { id, file, alt }: Picture): Promise<object> {
  const content = { type: 'image/svg+xml', content: readDemoFile(`pictures/${file}`) }
  const answer = await call(connection, 'POST', `/api/v1/files?fileName=${file}`, content)
  const { sha256, fileName } = await readJson<{ sha256: string; fileName: string }>(answer)
  const alts = Object.entries(alt).map(([language, value]) => ({ scope: { language }, value }))
  return { op: 'create', id, schemaId: 'sch-picture', values: { content: everywhere({ sha256, fileName }), alt: alts } }
}

function everywhere(value: unknown): object[] {
  return [{ scope: {}, value }]
}

async function sendAll(connection: Connection, file: string, { folder, secret }: DemoOptions): Promise<void> {
  const text = readDemoFile(file)
    .replaceAll('"{folder}"', () => JSON.stringify(folder))
    .replaceAll('{secret}', secret)
  const kept = new Map<string, string>()
  for (const [method, resource, body, name] of JSON.parse(text) as Request[]) {
    const path = resource.replaceAll(/\{(\w+)\}/g, (_, hole: string) => kept.get(hole)!)
    const id = method === 'WAIT' ? await whenEnded(connection, path) : await send(connection, method, path, body)
    if (name !== undefined) kept.set(name, id)
  }
}

/** Resolves to the ID in the response. */
async function send(connection: Connection, method: 'POST' | 'PUT', path: string, body: unknown): Promise<string> {
  const content =
    typeof body === 'string'
      ? { type: 'text/csv', content: body }
      : { type: 'application/json', content: JSON.stringify(body) }
  const answer = await call(connection, method, path, body === null ? undefined : content)
  return (await readJson<{ id: string }>(answer)).id
}

async function whenEnded(connection: Connection, job: string): Promise<string> {
  for (;;) {
    const { id, status } = await getJson<{ id: string; status: string }>(connection, `${job}?wait=25`)
    if (status !== 'queued' && status !== 'running') return id
  }
}
