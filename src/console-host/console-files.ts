// The files of the console: packed by the build, or in a checkout built in memory at the first request. Nothing is read at the
// start. Contract 3 §7, 3 §9.13.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, gzip as zlibGzip } from 'node:zlib'
import { notFound } from '../kernel/errors.ts'
import { importModule, listBuiltPages, pathInCheckout, readBuiltPage } from '../kernel/executable/assets.ts'
import { own } from '../kernel/own.ts'

export interface ConsoleFile {
  readonly mediaType: string
  /** Another for another content. */
  readonly etag: string
  readonly br: Uint8Array
  /** Made of `br` at the first request: browsers take brotli unless the connection is plain http from another machine. */
  readonly gzip: () => Promise<Uint8Array>
}

/** The output of `scripts/build/console.ts`: names end in `.br`. */
interface Built {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly inputs: readonly string[]
}

interface Reader {
  /** Names of packed files. */
  readonly names: Iterable<string>
  /** Undefined where there is none. @param name of the unpacked file */
  readonly read: (name: string) => ConsoleFile | undefined
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

export function createConsoleFiles({ isServed }: { readonly isServed: boolean }) {
  const open = openBuilt() ?? openCheckout()
  const below = pagesBelow()
  const assertServed = (): void => {
    if (!isServed) throw notFound('Page', 'console')
  }
  return {
    /** False: this server has no console. */
    isServed,

    /**
     * The page, which is the same at all addresses of the console. @throws NOT_FOUND
     * @param prefix stands before the addresses of its files; '' for nothing
     */
    async page(prefix: string): Promise<ConsoleFile> {
      assertServed()
      const page = findFile(PAGE, await open(true))
      return prefix === '' ? page : below(prefix, page)
    },

    /** The file of a place of the console; undefined if the place has no file of its own. @param id of an item of the place */
    async placeFile(place: string, id: string | undefined): Promise<string | undefined> {
      // A single record is another place than the list of records.
      const folder = place === '' ? 'home' : place === 'records' && id !== undefined ? 'record' : place
      const { names } = await open(false)
      return [...names].find((name) => name.startsWith(`${folder}-`) && name.endsWith('.js.br'))?.slice(0, -3)
    },

    /** A file of the page. @throws NOT_FOUND */
    async file(name: string): Promise<ConsoleFile> {
      assertServed()
      if (name === PAGE) throw notFound('File', name)
      return findFile(name, await open(false))
    },
  }
}

/** Undefined in a checkout. */
function openBuilt(): (() => Promise<Reader>) | undefined {
  const names = listBuiltPages('console')
  if (names === undefined) return undefined
  const known = new Set(names)
  const read = keepFiles((name) => (known.has(name) ? readBuiltPage(`console/${name}`) : undefined))
  return async () => ({ names, read })
}

/** Pages whose files have a path before their addresses. Only a few paths lead to one server: more are made again each time. */
function pagesBelow(): (prefix: string, page: ConsoleFile) => Promise<ConsoleFile> {
  const made = new Map<string, Promise<ConsoleFile>>()
  return async (prefix, page) => {
    const key = `${page.etag} ${prefix}`
    const found = made.get(key) ?? pageBelow(prefix, page)
    if (made.size >= MAX_KEPT_PAGES) made.clear()
    made.set(key, found)
    return found
  }
}

async function pageBelow(prefix: string, { mediaType, br }: ConsoleFile): Promise<ConsoleFile> {
  const html = (await promisify(brotliDecompress)(br)).toString().replaceAll(ADDRESS, prefix + ADDRESS)
  return toFile(mediaType, await promisify(brotliCompress)(html))
}

/** The build of a checkout, shared by all servers of the process. */
let built: ReturnType<typeof buildInMemory> | undefined

/** Builds again when the page is requested after a source has changed; changed files get other names. */
function openCheckout(): (isPage: boolean) => Promise<Reader> {
  return async (isPage) => {
    const last = await built?.catch(() => undefined)
    if (last === undefined || (isPage && newestOf(last.inputs) > last.newest)) built = buildInMemory()
    const { names, read } = await built!
    return { names, read }
  }
}

async function buildInMemory(): Promise<Reader & Pick<Built, 'inputs'> & { readonly newest: number }> {
  const url = pathToFileURL(pathInCheckout('scripts/build/console.ts')).href
  const { buildConsole } = (await importModule(url)) as { buildConsole: () => Promise<Built> }
  const { files, inputs } = await buildConsole()
  return { names: [...files.keys()], read: keepFiles((name) => files.get(name)), inputs, newest: newestOf(inputs) }
}

/** Milliseconds since 1970. */
function newestOf(files: readonly string[]): number {
  return Math.max(0, ...files.map((file) => statSync(pathInCheckout(file), { throwIfNoEntry: false })?.mtimeMs ?? 0))
}

/** All files together are some hundred KB. */
function keepFiles(read: (name: string) => Uint8Array | undefined): Reader['read'] {
  const found = new Map<string, ConsoleFile>()
  return (name) => {
    const known = found.get(name)
    if (known !== undefined) return known
    const mediaType = own(MEDIA_TYPES, name.slice(name.lastIndexOf('.') + 1))
    const br = mediaType === undefined ? undefined : read(`${name}.br`)
    if (mediaType === undefined || br === undefined) return undefined
    const file = toFile(mediaType, br)
    found.set(name, file)
    return file
  }
}

function findFile(name: string, { read }: Reader): ConsoleFile {
  const file = read(name)
  if (file === undefined) throw notFound('File', name)
  return file
}

function toFile(mediaType: string, br: Uint8Array): ConsoleFile {
  let made: Promise<Uint8Array> | undefined
  const gzip = (): Promise<Uint8Array> =>
    (made ??= promisify(brotliDecompress)(br).then((content) => promisify(zlibGzip)(content)))
  const etag = createHash('sha256').update(br).digest('base64url').slice(0, 22)
  return { mediaType, etag, br, gzip }
}
