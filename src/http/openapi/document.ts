// The OpenAPI 3.1 document, made from the table of routes that serves. Contract 2 §8.
import type { Route } from '../route.ts'
import type { Components } from './component.ts'
import { describeErrorResponse, errorComponents, errorResponseName, errorsByStatus } from './error-responses.ts'
import { HEADER_PARAMETERS, HEADERS } from './headers.ts'
import { convertSchemas, type JsonSchema, type JsonSchemas } from './json-schemas.ts'
import type { OpenApiDocument, Operation, Response } from './document-model.ts'
import { describeOperation, type OperationContext, schemasOf, toTemplate } from './operations.ts'
import { listTags } from './tags.ts'

interface DocumentParts {
  readonly version: string
  readonly routes: readonly Route[]
  /** The second path of a route. It is named in the description instead of listing every operation twice. */
  readonly otherPathOf: (route: Route) => string | undefined
  /** Named shapes with examples. */
  readonly components: Components
  /** Changes the converted schemas before they are listed. */
  readonly adapt: (schemas: Readonly<Record<string, JsonSchema>>) => Readonly<Record<string, JsonSchema>>
}

const DESCRIPTION = `
Product records have values by language, market or any other dimension, a lifecycle, completeness, an audit trail and categories. Clients search them, and jobs export them by a schedule.

Every request needs a credential unless its description says otherwise: \`X-Service-ApiKey\` with an API key, or \`Authorization: Bearer\` with an access token. With both, the token decides.

Bodies are JSON in UTF-8. Unknown members are ignored, so that clients can send an answer back. In searches, saved queries, roles, export jobs and bulk jobs a misspelt member would do harm. There an unknown member is 400, which names the nearest known one; members that the server sets may still be sent back. Unknown query parameters of lists and searches are 400, too. Timestamps are ISO 8601 in UTC. Errors are \`{ "error", "message" }\` with a stable code. HEAD answers as GET does, without the body.

The server refuses a number that a double cannot hold, rather than change the number. Such a number has more than 17 significant digits, without zeros at its ends, or is so small that it becomes 0. Beyond 2^53, such a number would come back as another one, for example 9007199254740993. The same holds for ndjson and csv. Inside values of dataType json the server takes the nearest double.

The codes of errors stay the same in every version of the API. \`/api/v1\` is the version. The paths of export jobs and runs also answer without it: \`/export-jobs\` is \`/api/v1/export-jobs\`.
`.trim()

/** The same parts make the same document. @throws Error for a schema that JSON Schema cannot say */
export function buildDocument(parts: DocumentParts): OpenApiDocument {
  const components: Components = { ...parts.components, ...errorComponents }
  const schemas = convertSchemas(components, new Set(parts.routes.flatMap(schemasOf)))
  // Both name schemas of their own: they come before the schemas are listed.
  const paths = describePaths(parts, { schemas, components })
  const responses = describeErrors(parts.routes, schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'pimlet',
      version: parts.version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that answers this document' }],
    // API keys come first: generators of clients take the first scheme they support.
    security: [{ serviceApiKey: [] }, { bearer: [] }],
    tags: listTags(),
    paths,
    components: {
      schemas: parts.adapt(schemas.components),
      responses,
      headers: HEADERS,
      parameters: HEADER_PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const SECURITY_SCHEMES = {
  serviceApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-ApiKey',
    description: 'The `key` of POST /api/v1/api-keys.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of POST /api/v1/auth/login; it expires after 24 hours.',
  },
}

function describePaths({ routes, otherPathOf }: DocumentParts, context: OperationContext): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const other = otherPathOf(route)
    const operations = (paths[toTemplate(route.path)] ??= {})
    operations[route.method.toLowerCase()] = describeOperation(route, context, other && toTemplate(other))
  }
  return paths
}

function describeErrors(routes: readonly Route[], schemas: JsonSchemas): Record<string, Response> {
  const sets = routes.flatMap((route) => [...errorsByStatus(route).values()])
  const named = sets.map((codes): [string, Response] => [
    errorResponseName(codes),
    describeErrorResponse(codes, schemas),
  ])
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)))
}
