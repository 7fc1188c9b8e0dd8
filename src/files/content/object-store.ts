// A store of bytes at a cloud provider: what the stores of S3 and Azure have in common. Contract 4 §5.
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ExportFile, Network, RunContext } from '../../kernel/destination.ts'
import { PimletError } from '../../kernel/errors.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { awayError, type ByteRange, type ContentStore, MissingContent, nameOf, SHA256 } from './content-store.ts'
import { withFetched } from './fetched-file.ts'

export interface ObjectStoreOptions<Config> {
  /** Settings of the destination of the same provider. */
  readonly config: Config
  readonly network: Network
  readonly arrivals: string
}

interface ObjectPage {
  readonly names: readonly string[]
  /** Undefined: it is the last page. */
  readonly next: string | undefined
}

/** The requests of one provider. They throw errors of the provider. */
export interface ObjectProvider<Client> {
  readonly place: string
  /** The names of all objects begin with this path. */
  readonly path: string | undefined
  connect(): Promise<Client>
  /** Whether objects can be written and read. */
  check(): Promise<unknown>
  /** Writes the file into a folder. */
  put(client: Client, folder: string, file: ExportFile): Promise<unknown>
  get(client: Client, name: string, range?: ByteRange): Promise<Readable>
  /** The bytes of an object. */
  sizeOf(client: Client, name: string): Promise<number | undefined>
  remove(client: Client, name: string): Promise<unknown>
  list(client: Client, prefix: string, page: string | undefined): Promise<ObjectPage>
  faultOf(error: unknown): ObjectFault
}

interface ObjectFault {
  /** HTTP status of the answer; undefined: there was no answer. */
  readonly status: number | undefined
  /** Whether the bucket or container itself is missing. */
  readonly isWithoutPlace: boolean
  /** Free of secrets. */
  readonly message: string
}

export function createObjectStore<Client>(provider: ObjectProvider<Client>, arrivals: string): ContentStore {
  const { place } = provider
  const prefix = provider.path ? `${provider.path}/` : ''
  const keyOf = (sha256: string): string => prefix + nameOf(sha256)
  let connected: Promise<Client> | undefined

  /** Runs one request. @throws UNAVAILABLE, MissingContent */
  async function ask<Answer>(
    sha256: string | undefined,
    request: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      connected ??= provider.connect()
      return await request(await connected)
    } catch (error) {
      if (error instanceof PimletError || error instanceof MissingContent) throw error
      const { status, isWithoutPlace, message } = provider.faultOf(error)
      if (sha256 !== undefined && status === 404 && !isWithoutPlace) throw new MissingContent(sha256)
      // A client that cannot be made is made again for the next request.
      if (status === undefined) connected = undefined
      throw awayError(place, message, error)
    }
  }

  const open = (sha256: string, range?: ByteRange): Promise<Readable> =>
    ask(sha256, (client) => provider.get(client, keyOf(sha256), range))

  return {
    place,
    arrivals,
    isShared: true,
    async prepare() {
      await mkdir(arrivals, { recursive: true, mode: 0o700 }).catch(translateFileError)
      await ask(undefined, () => provider.check())
    },
    async keep(sha256, file) {
      const { size } = await stat(file).catch(translateFileError)
      const sent = {
        name: sha256,
        path: file,
        size,
        sha256,
        contentType: 'application/octet-stream',
        open: (range?: ByteRange): Readable => createReadStream(file, range),
      }
      await ask(undefined, (client) => provider.put(client, prefix + sha256.slice(0, 2), sent))
      await rm(file, { force: true })
    },
    open,
    withFile: async (sha256, work) => withFetched({ arrivals, place }, await open(sha256), work),
    sizeOf: (sha256) => ask(sha256, (client) => provider.sizeOf(client, keyOf(sha256))).catch(absent),
    async remove(sha256) {
      await ask(sha256, (client) => provider.remove(client, keyOf(sha256))).catch(absent)
    },
    async *list() {
      for (let page: string | undefined; ;) {
        const { names, next } = await ask(undefined, (client) => provider.list(client, prefix, page))
        yield* names
          .map((name) => name.slice(-64))
          .filter((sha256, at) => SHA256.test(sha256) && names[at] === keyOf(sha256))
        if (next === undefined) return
        page = next
      }
    },
  }
}

function absent(error: unknown): undefined {
  if (!(error instanceof MissingContent)) throw error
}

/**
 * A context of the destination for a request that is no run. Notes end with the request: until then, a failed delivery
 * removes what it noted.
 */
export function contextOf(network: Network): RunContext {
  const noted = new Set<string>()
  return {
    jobId: 'files',
    runId: 'files',
    attempt: 1,
    signal: new AbortController().signal,
    network,
    leftovers: {
      list: async () => [...noted],
      note: async (name) => void noted.add(name),
      forget: async (name) => void noted.delete(name),
    },
    log: () => undefined,
  }
}
