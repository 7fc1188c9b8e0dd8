// The files of the console: packed by the build, or in a checkout built in memory at the first request. Nothing is read at the
// start. Contract 3 §7, 3 §9.13.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { notFound } from '../kernel/errors.ts'
import { importModule, listBuiltPages, pathInCheckout, readPageBytes } from '../kernel/executable/assets.ts'
import { own } from '../kernel/own.ts'

export interface ConsoleFile {
  readonly mediaType: string
  /** Another for another content. */
  readonly etag: string
  /** The content in gzip, and in brotli if the build packed it so. */
  readonly gzip: Uint8Array
  readonly br: Uint8Array | undefined
}

export interface ConsoleFileService {
  /** False: this server has no console. */
  readonly isServed: boolean
  /**
   * The page, which is the same at all addresses of the console. @throws NOT_FOUND
   * @param prefix stands before the addresses of its files; '' for nothing
   */
  page(prefix: string): Promise<ConsoleFile>
  /**
   * The file of a place of the console; undefined if the place has no file of its own. @param id of an item of the place
   */
  placeFile(place: string, id: string | undefined): Promise<string | undefined>
  /** A file of the page. @throws NOT_FOUND */
  file(name: string): Promise<ConsoleFile>
}

/** The output of `scripts/build/console.ts`: names end in `.gz` or `.br`. */
interface Built {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly inputs: readonly string[]
}

interface Reader {
  /** Names of packed files. */
  readonly names: Iterable<string>
  /** Undefined where there is none. */
  readonly read: (name: string) => Uint8Array | undefined
}

const PAGE = 'index.html'
/** The address of the page's files. */
const ADDRESS = '/console/-/'
const MAX_KEPT_PAGES = 8
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export function createConsoleFiles({ isServed }: { readonly isServed: boolean }): ConsoleFileService {
  const open = openBuilt() ?? openCheckout()
  const below = pagesBelow()
  const assertServed = (): void => {
    if (!isServed) throw notFound('Page', 'console')
  }
  return {
    isServed,
    async page(prefix) {
      assertServed()
      const page = toFile(PAGE, await open(true))
      return prefix === '' ? page : below(prefix, page)
    },
    async placeFile(place, id) {
      // Records of their own are another place than all of them.
      const folder = place === '' ? 'home' : place === 'records' && id !== undefined ? 'record' : place
      const { names } = await open(false)
      return [...names].find((name) => name.startsWith(`${folder}-`) && name.endsWith('.js.gz'))?.slice(0, -3)
    },
    async file(name) {
      assertServed()
      if (name === PAGE) throw notFound('File', name)
      return toFile(name, await open(false))
    },
  }
}

/** Undefined in a checkout. */
function openBuilt(): (() => Promise<Reader>) | undefined {
  const names = listBuiltPages('console')
  if (names === undefined) return undefined
  const known = new Set(names)
  const read = kept((name) => (known.has(name) ? readPageBytes(`console/${name}`) : undefined))
  return async () => ({ names, read })
}

/** Pages whose files have a path before their addresses. Only a few paths lead to one server: more are made again each time. */
function pagesBelow(): (prefix: string, page: ConsoleFile) => ConsoleFile {
  const made = new Map<string, ConsoleFile>()
  return (prefix, page) => {
    const key = `${page.etag} ${prefix}`
    const known = made.get(key)
    if (known !== undefined) return known
    const html = gunzipSync(page.gzip)
      .toString()
      .replaceAll(ADDRESS, prefix + ADDRESS)
    const gzip = gzipSync(html)
    const found = { mediaType: page.mediaType, etag: etagOf(gzip), gzip, br: undefined }
    if (made.size >= MAX_KEPT_PAGES) made.clear()
    made.set(key, found)
    return found
  }
}

/** The build of a checkout, shared by all servers of the process. */
let built: ReturnType<typeof buildInMemory> | undefined

/** Builds again when the page is requested after a source has changed; changed files get other names. */
function openCheckout(): (isPage: boolean) => Promise<Reader> {
  return async (isPage) => {
    const last = await built?.catch(() => undefined)
    if (last === undefined || (isPage && newestOf(last.inputs) > last.newest)) built = buildInMemory()
    const { files } = await built!
    return { names: files.keys(), read: (name) => files.get(name) }
  }
}

async function buildInMemory(): Promise<Built & { readonly newest: number }> {
  const url = pathToFileURL(pathInCheckout('scripts/build/console.ts')).href
  const { buildConsole } = (await importModule(url)) as { buildConsole: () => Promise<Built> }
  const built = await buildConsole()
  return { ...built, newest: newestOf(built.inputs) }
}

/** Milliseconds since 1970. */
function newestOf(files: readonly string[]): number {
  return Math.max(0, ...files.map((file) => statSync(pathInCheckout(file), { throwIfNoEntry: false })?.mtimeMs ?? 0))
}

/** All files together are some hundred KB. */
function kept(read: Reader['read']): Reader['read'] {
  const found = new Map<string, Uint8Array>()
  return (name) => {
    const bytes = found.get(name) ?? read(name)
    if (bytes !== undefined) found.set(name, bytes)
    return bytes
  }
}

function toFile(name: string, { read }: Reader): ConsoleFile {
  const mediaType = own(MEDIA_TYPES, name.slice(name.lastIndexOf('.') + 1))
  const gzip = mediaType === undefined ? undefined : read(`${name}.gz`)
  if (mediaType === undefined || gzip === undefined) throw notFound('File', name)
  return { mediaType, etag: etagOf(gzip), gzip, br: read(`${name}.br`) }
}

function etagOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}
