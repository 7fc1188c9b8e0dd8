// Keeps bytes in a store elsewhere, by the client and the settings of its destination. Contract 4 §5.
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Destination, Network, RunContext } from '../../kernel/destination.ts'
import { PimletError } from '../../kernel/errors.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { awayError, type ByteRange, type ContentStore, MissingContent, nameOf, SHA256 } from './content-store.ts'
import { withFetched } from './fetched-file.ts'

/** Content of this size is sent by `put`. Larger content is sent in parts, as the destination sends them. */
const ONE_REQUEST = 8 * 1024 * 1024

/** A kind of store, by an open client. Its names are keys: the prefix of the store, and the name of the content. */
interface Remote<Config, Client> {
  /** The bucket or container. */
  readonly name: string | undefined
  readonly destination: Destination<Config>
  connect(context: RunContext): Promise<Client>
  /** The HTTP status of a refusal; undefined: there was no answer. */
  statusOf(error: unknown): number | undefined
  /** Whether the answer 404 is about content, and not about the whole store. */
  isAboutContent(error: unknown): boolean
  describe(error: unknown): string
  /** Sends small content by one request; undefined: the destination sends all content. */
  put?(client: Client, key: string, bytes: Buffer): Promise<unknown>
  open(client: Client, key: string, range: ByteRange | undefined): Promise<Readable>
  sizeOf(client: Client, key: string): Promise<number | undefined>
  remove(client: Client, key: string): Promise<unknown>
  /** Lists a page of keys. @param after the mark of the last page */
  page(client: Client, prefix: string, after: string | undefined): Promise<Page>
}

interface Page {
  readonly keys: readonly string[]
  /** The mark for the next page; undefined: this is the last. */
  readonly next: string | undefined
}

export interface RemoteOptions<Config> {
  readonly config: Config
  readonly network: Network
  readonly arrivals: string
}

export function createRemoteStore<Config extends { readonly path?: string | undefined }, Client>(
  remote: Remote<Config, Client>,
  { config, network, arrivals }: RemoteOptions<Config>,
): ContentStore {
  const { destination } = remote
  const context = contextOf(network)
  const prefix = config.path ? `${config.path}/` : ''
  const place = `${destination.type}://${[remote.name, config.path].filter(Boolean).join('/')}`
  const keyOf = (sha256: string): string => prefix + nameOf(sha256)
  let opened: Promise<Client> | undefined

  /** Runs one request. @throws UNAVAILABLE, MissingContent */
  async function ask<Answer>(
    sha256: string | undefined,
    request: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      opened ??= remote.connect(context)
      return await request(await opened)
    } catch (error) {
      if (error instanceof PimletError || error instanceof MissingContent) throw error
      const status = remote.statusOf(error)
      if (sha256 !== undefined && status === 404 && remote.isAboutContent(error)) throw new MissingContent(sha256)
      // A client that cannot be made is made again for the next request.
      if (status === undefined) opened = undefined
      throw awayError(place, remote.describe(error), error)
    }
  }

  async function send(sha256: string, file: string, size: number): Promise<void> {
    if (remote.put !== undefined && size <= ONE_REQUEST) {
      const bytes = await readFile(file).catch(translateFileError)
      await ask(undefined, (client) => remote.put!(client, keyOf(sha256), bytes))
      return
    }
    const open = (range?: ByteRange): Readable => createReadStream(file, range)
    const delivered = { name: sha256, path: file, size, sha256, contentType: 'application/octet-stream', open }
    const target = { ...config, path: prefix + sha256.slice(0, 2) }
    await ask(undefined, () => destination.deliver(delivered, target, context))
  }

  const open = (sha256: string, range?: ByteRange): Promise<Readable> =>
    ask(sha256, (client) => remote.open(client, keyOf(sha256), range))

  return {
    place,
    arrivals,
    isShared: true,
    async prepare() {
      await mkdir(arrivals, { recursive: true, mode: 0o700 }).catch(translateFileError)
      await ask(undefined, () => destination.check!(config, context))
    },
    async keep(sha256, file) {
      const { size } = await stat(file).catch(translateFileError)
      await send(sha256, file, size)
      await rm(file, { force: true })
    },
    open,
    withFile: async (sha256, work) => withFetched({ arrivals, place }, await open(sha256), work),
    sizeOf: (sha256) => ask(sha256, (client) => remote.sizeOf(client, keyOf(sha256))).catch(absent),
    async remove(sha256) {
      await ask(sha256, (client) => remote.remove(client, keyOf(sha256))).catch(absent)
    },
    async *list() {
      let after: string | undefined
      do {
        const page = await ask(undefined, (client) => remote.page(client, prefix, after))
        for (const key of page.keys) {
          const sha256 = key.slice(-64)
          if (SHA256.test(sha256) && key === keyOf(sha256)) yield sha256
        }
        after = page.next
      } while (after !== undefined)
    },
  }
}

function absent(error: unknown): undefined {
  if (!(error instanceof MissingContent)) throw error
}

/**
 * A context of the destination for requests that are no run. Nothing is noted, because a repeated upload removes remains of
 * the first.
 */
function contextOf(network: Network): RunContext {
  return {
    jobId: 'files',
    runId: 'files',
    attempt: 1,
    signal: new AbortController().signal,
    network,
    leftovers: { list: async () => [], note: async () => undefined, forget: async () => undefined },
    log: () => undefined,
  }
}
