// The documentation of the interface: the OpenAPI document of the mounted routes, with the built-in destinations; the files
// of the reference page; and the guides. It needs no data directory. Contract 2 §8.
import { createHash } from 'node:crypto'
import type { GenericSchema } from 'valibot'
import { builtInDestinations } from '../../plugins/index.ts'
import { readPages, readVersion } from '../kernel/executable/assets.ts'
import { notFound } from '../kernel/errors.ts'
import { apiRoutes, jobRoutes, loadExamples, withoutPrefix } from '../app/api.ts'
import type { OpenApiDocument } from '../http/openapi/document-model.ts'
import type { DocumentationFile, DocumentationService } from './documentation-service.ts'
import { own } from '../kernel/own.ts'

/** The OpenAPI document. Its code is loaded here, so that a start of the server does not wait for it. */
export async function makeOpenApi(): Promise<OpenApiDocument> {
  const { buildDocument } = await import('../http/openapi/document.ts')
  const { destinationComponents, withDestinations } = await import('../exports/routes/destination-components.ts')
  const destinations = destinationShapes()
  return buildDocument({
    version: readVersion(),
    routes: apiRoutes,
    otherPathOf: (route) => (jobRoutes.includes(route) ? withoutPrefix(route.path) : undefined),
    components: { ...(await loadExamples()), ...destinationComponents(destinations) },
    adapt: (schemas) => withDestinations(schemas, destinations),
  })
}

function destinationShapes() {
  return builtInDestinations.map(({ type, config, secrets = [], keys }) => ({
    type,
    // The built-in ones are made with valibot, all of them.
    config: config as unknown as GenericSchema,
    secrets,
    isExact: keys !== undefined,
  }))
}

export function createDocumentation(): DocumentationService {
  let document: Promise<DocumentationFile> | undefined
  let files: ReadonlyMap<string, DocumentationFile> | undefined
  let settings: ReturnType<DocumentationService['settings']> | undefined
  let version: string | undefined
  const guides = new Map<string, DocumentationFile>()
  return {
    version: () => (version ??= readVersion()),

    async guide(name) {
      const known = guides.get(name)
      if (known !== undefined) return known
      const { renderGuide } = await import('./guides.ts')
      const text = renderGuide(name)
      if (text === undefined) throw notFound('Guide', name)
      const file = toFile(text, MEDIA_TYPES['html']!)
      guides.set(name, file)
      return file
    },

    openApi: () => (document ??= makeOpenApi().then((made) => toFile(JSON.stringify(made), 'application/json'))),

    settings: () =>
      (settings ??= import('../exports/routes/destination-components.ts').then(
        ({ destinationSchemas }) => destinationSchemas(destinationShapes()) as Awaited<NonNullable<typeof settings>>,
      )),

    file(name) {
      files ??= readFiles()
      const file = files.get(name)
      if (file === undefined) throw notFound('Page', name)
      return file
    },
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

function readFiles(): ReadonlyMap<string, DocumentationFile> {
  const served = [...readPages('docs')].flatMap(([name, text]): [string, DocumentationFile][] => {
    const mediaType = own(MEDIA_TYPES, name.slice(name.lastIndexOf('.') + 1))
    return mediaType === undefined ? [] : [[name, toFile(text, mediaType)]]
  })
  return new Map(served)
}

function toFile(text: string, mediaType: string): DocumentationFile {
  return { text, mediaType, etag: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
}
