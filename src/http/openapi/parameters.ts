// The parameters of an operation: of its path and query, and the headers that it regards.
import type * as v from 'valibot'
import { takesKey } from '../answers/error-replies.ts'
import type { ObjectSchema, Route } from '../route.ts'
import { splitPath } from '../pipeline/router.ts'
import { EXAMPLE_IDS } from './example-ids.ts'
import { conditionsOf } from './headers.ts'
import type { JsonSchemas } from './json-schemas.ts'
import type { Parameter, Reference } from './document-model.ts'

/** Path segment → what an `:id` behind it is the ID of, and one as in the examples of bodies. */
const RESOURCES: Readonly<Record<string, { readonly name: string; readonly example: string }>> = {
  'api-keys': { name: 'API key', example: EXAMPLE_IDS.apiKey },
  'bulk-jobs': { name: 'bulk job', example: EXAMPLE_IDS.bulkJob },
  catalogs: { name: 'catalog', example: 'cat-web' },
  categories: { name: 'category', example: 'ctg-shirts' },
  dimensions: { name: 'dimension', example: 'language' },
  'export-jobs': { name: 'export job', example: EXAMPLE_IDS.exportJob },
  records: { name: 'record', example: EXAMPLE_IDS.record },
  roles: { name: 'role', example: 'role-translator' },
  runs: { name: 'run', example: EXAMPLE_IDS.exportRun },
  'saved-queries': { name: 'saved query', example: EXAMPLE_IDS.savedQuery },
  schemas: { name: 'schema', example: 'sch-shirt' },
  users: { name: 'user', example: EXAMPLE_IDS.user },
  workflows: { name: 'workflow', example: 'wf-default' },
}
const ATTRIBUTE = { description: "Alias of an attribute of the record's schema.", example: 'name' }
const GUIDE = { description: 'Name of the guide.', example: 'search' }
const FILE = { description: 'Name of the file.', example: 'page.css' }

/** `/records/:id` → `/records/{id}` */
export function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function describeParameters(route: Route, schemas: JsonSchemas): (Parameter | Reference)[] {
  const names = [...conditionsOf(route), ...(takesKey(route) ? ['Idempotency-Key'] : [])]
  const headers = names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  return [...describePath(route, schemas), ...describeQuery(route.query, schemas), ...headers]
}

function describePath({ path, params }: Route, schemas: JsonSchemas): Parameter[] {
  const segments = splitPath(path)
  return segments.flatMap((segment, index): Parameter[] => {
    if (!segment.startsWith(':')) return []
    const name = segment.slice(1)
    const declared = params?.entries[name]
    const schema = declared === undefined ? { type: 'string' as const } : schemas.of(declared)
    const { description, example } = meaningOf(name, segments[index - 1]!)
    return [{ name, in: 'path', required: true, description, schema: { ...schema, examples: [example] } }]
  })
}

function meaningOf(name: string, before: string): { readonly description: string; readonly example: string } {
  if (name === 'attr') return ATTRIBUTE
  if (name === 'file') return FILE
  if (name === 'guide') return GUIDE
  const { name: resource, example } = RESOURCES[before] ?? { name: before, example: 'id' }
  return { description: `ID of the ${resource}.`, example }
}

function describeQuery(query: ObjectSchema | undefined, schemas: JsonSchemas): Parameter[] {
  return Object.entries<v.GenericSchema>(query?.entries ?? {}).map(([name, entry]) => {
    const { description, ...schema } = schemas.of(entry)
    const required = entry.type !== 'optional'
    return { name, in: 'query', required, ...(description === undefined ? {} : { description }), schema }
  })
}
