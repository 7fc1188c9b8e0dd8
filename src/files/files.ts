// Use cases of files: upload, and the bytes for callers who may read them. Contract 4 §1.
//
// An upload and the removal of the same bytes may meet. The state of the file settles it: bytes arrive only where no bytes are
// being removed, and bytes are removed only after the state says `leaving`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { assertPermission } from '../core/accounts/rules/permissions.ts'
import { keepAnswer } from '../core/requests/idempotent-requests.ts'
import { findReadableFile, readSomewhere } from '../core/records/naming-files.ts'
import type { Network } from '../kernel/destination.ts'
import type { FileName } from '../core/datatypes/file.ts'
import { notFound, PimletError } from '../kernel/errors.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { System } from '../kernel/machine/system.ts'
import type { FileDescription, FileRow } from '../store/file-port.ts'
import type { Store } from '../store/port.ts'
import { type ByteRange, type ContentStore, MissingContent, SHA256 } from './content/content-store.ts'
import { fetchFile } from './fetching.ts'
import { type FilePart, takeFormFile } from './form-data.ts'
import { discard, type ReceivedFile, receiveFile } from './receiving.ts'
import { cleanFileName } from '../core/values/file-name.ts'

export interface UploadedFile extends FileDescription {
  readonly sha256: string
  readonly fileName: string
}

/** `isNew`: the bytes were not there before. */
interface Upload {
  readonly isNew: boolean
  readonly file: UploadedFile
}

/** Bytes that a caller may read. */
export interface ReadableFile {
  readonly sha256: string
  readonly fileName: string
  readonly mediaType: string
  readonly size: number
  readonly etag: string
  /** @throws NOT_FOUND where the bytes are missing, UNAVAILABLE */
  readonly open: (range?: ByteRange) => Promise<AsyncIterable<Uint8Array>>
}

/** Facts of a file that come from its content. */
export type Describe = (file: string, signal?: AbortSignal) => Promise<Omit<FileDescription, 'size'>>

interface FileDeps {
  readonly store: Store
  readonly system: System
  readonly content: ContentStore
  readonly originals: BytesOf
  readonly describe: Describe
  readonly network: Network
  /** Bytes of one file at most. */
  readonly maxFile: number
}

/** Milliseconds to fetch a file. */
const FETCH_TIME = 60_000
/** Milliseconds between two looks whether bytes that are being removed are gone, and how many looks. */
const LOOK_AGAIN = 250
const LOOKS = 40

export function createFileService(deps: FileDeps) {
  const { store, system, content, describe, originals } = deps
  const { bytesOf } = originals
  const now = (): string => system.now().toISOString()

  /** Notes that the bytes will be there. @returns the state that the file had */
  const begin = (sha256: string, description: FileDescription): Promise<FileRow['state'] | undefined> =>
    store.transaction(async (tx) => {
      const state = (await tx.files.get([sha256])).get(sha256)?.state
      if (state === undefined || state === 'arriving')
        await tx.files.put({ sha256, state: 'arriving', ...description }, now())
      return state
    })

  /** Notes that the bytes are there, and that the caller may name them. @returns undefined where they are not kept */
  const settle = (caller: Caller, uploaded: UploadedFile, states: readonly FileRow['state'][]) =>
    store.transaction(async (tx) => {
      const { sha256, fileName: _, ...description } = uploaded
      const found = (await tx.files.get([sha256])).get(sha256)
      if (found === undefined || !states.includes(found.state)) return undefined
      const { state, ...known } = found
      if (state === 'arriving') await tx.files.put({ sha256, state: 'kept', ...description }, now())
      await tx.files.noteUpload({ sha256, fileName: uploaded.fileName }, caller.id, now())
      const isNew = state === 'arriving'
      return keepAnswer(tx, caller, { isNew, file: { ...uploaded, ...(isNew ? description : known) } })
    })

  const isReadable = async ({ role }: Caller, sha256: string): Promise<boolean> =>
    (await readSomewhere(store.read, role, [sha256])).has(sha256)

  /** Resolves to whether the bytes are known. Keeps bytes again that the store has lost. */
  async function repair({ sha256, size, file }: ReceivedFile): Promise<boolean> {
    if ((await store.read.files.get([sha256])).get(sha256)?.state !== 'kept') return false
    if ((await content.sizeOf(sha256)) !== size) await content.keep(sha256, file)
    return true
  }

  /** Keeps a received file. Removes it from `arrivals`. @throws UNAVAILABLE */
  async function admit(caller: Caller, received: ReceivedFile, fileName: string, signal?: AbortSignal) {
    const { sha256, size, file } = received
    const named = { sha256, fileName: cleanFileName(fileName) }
    let description: FileDescription | undefined
    let isKept = await repair(received)
    for (let look = 0; look < LOOKS; look += 1) {
      const known = isKept && (await settle(caller, { ...named, ...(description ?? UNKNOWN), size }, ['kept']))
      if (known) return known
      description ??= { ...(await describe(file, signal)), size }
      const state = await begin(sha256, description)
      isKept = state === 'kept'
      if (state === 'leaving') await sleep(LOOK_AGAIN)
      else if (!isKept) {
        await content.keep(sha256, file)
        const kept = await settle(caller, { ...named, ...description }, ['arriving', 'kept'])
        if (kept !== undefined) return kept
        // Nobody removes bytes that have just arrived, unless the clock of another server is a day ahead.
        break
      }
    }
    throw new PimletError('UNAVAILABLE', 'The file is just being removed: send it again', { retryAfter: 5 })
  }

  /**
   * @param fileName undefined: the file has no name of its own
   * @throws PERMISSION_DENIED, PAYLOAD_TOO_LARGE, UNAVAILABLE, errors of `chunks`
   */
  async function upload(
    caller: Caller,
    chunks: AsyncIterable<Uint8Array>,
    fileName: string | undefined,
    signal?: AbortSignal,
  ): Promise<Upload> {
    assertPermission(caller.role, 'files.write')
    return admitAndRemove(caller, await receive(chunks), fileName, signal)
  }

  const receive = (chunks: AsyncIterable<Uint8Array>): Promise<ReceivedFile> =>
    receiveFile(content.arrivals, chunks, deps.maxFile)

  async function admitAndRemove(caller: Caller, received: ReceivedFile, fileName = '', signal?: AbortSignal) {
    try {
      return await admit(caller, received, fileName, signal)
    } finally {
      await discard(received)
    }
  }

  return {
    upload,

    /** Uploads the body of a request, or the file of a form. Throws as `upload` does. */
    async uploadBody(
      caller: Caller,
      { contentType, chunks }: { readonly contentType: string; readonly chunks: AsyncIterable<Uint8Array> },
      fileName: string | undefined,
      signal: AbortSignal,
    ): Promise<Upload> {
      if (!/^multipart\/form-data\b/i.test(contentType)) return upload(caller, chunks, fileName, signal)
      assertPermission(caller.role, 'files.write')
      let named: string | undefined
      const take = (part: FilePart): Promise<ReceivedFile> => {
        named = part.fileName
        return receive(part.chunks)
      }
      // Nothing counts before the end of the form, since parts after the file may be at fault.
      const received = await takeFormFile(contentType, chunks, { take, discard })
      return admitAndRemove(caller, received, fileName ?? named, signal)
    },

    /** Fetches a file from an address. Throws as `upload` does; VALIDATION_ERROR where it cannot be fetched. */
    async fetch(
      caller: Caller,
      { url, fileName }: { readonly url: string; readonly fileName?: string | undefined },
      signal: AbortSignal,
    ): Promise<Upload> {
      const within = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIME)])
      const fetched = await fetchFile(url, 'url', { network: deps.network, signal: within })
      return upload(caller, fetched.chunks, fileName ?? fetched.fileName, signal)
    },

    /** The latest file of that name that the caller has uploaded within a day. */
    async findOwn(caller: Caller, fileName: string): Promise<FileName | undefined> {
      const cleaned = cleanFileName(fileName)
      const sha256 = await store.read.files.uploadedAs(caller.id, cleaned)
      const file = sha256 === undefined ? undefined : await knownFile(store, sha256)
      return file === undefined ? undefined : { sha256: file.sha256, fileName: cleaned }
    },

    /**
     * A file that the caller has uploaded within a day.
     * @param isHead whether it is enough that the caller may know of the file
     * @throws NOT_FOUND
     */
    async own(caller: Caller, sha256: string, isHead: boolean): Promise<ReadableFile> {
      const file = await knownFile(store, sha256)
      if (file === undefined) throw notFound('File', sha256)
      const isOwn = (await store.read.files.uploadedBy(caller.id, [sha256])).has(sha256)
      const isKnown = isOwn || (isHead && (await isReadable(caller, sha256)))
      // A client that only asks may send bytes that are lost.
      const isLost = isHead && isKnown && (await content.sizeOf(sha256)) !== file.size
      if (!isKnown || isLost) throw notFound('File', sha256)
      return bytesOf({ ...file, fileName: sha256 })
    },

    /** A file that a value of the record names, own or inherited, which the caller may read. @throws NOT_FOUND */
    async ofRecord(caller: Caller, recordId: string, sha256: string): Promise<ReadableFile> {
      const value = await findReadableFile(store.read, caller.role, recordId, sha256)
      if (value === undefined) throw notFound('File', sha256, `no value of the record '${recordId}' names it`)
      return bytesOf(value)
    },
  }
}

/** The bytes of files, for those who have the right to them. */
export function createOriginals({ content, log }: { readonly content: ContentStore; readonly log: Log }) {
  function asNotFound(error: unknown, sha256: string): never {
    if (!(error instanceof MissingContent)) throw error
    log.error({ sha256 }, 'the bytes of a file are missing')
    throw notFound('File', sha256, 'its bytes are missing from the store of files')
  }

  return {
    bytesOf: (file: Omit<ReadableFile, 'open' | 'etag'>): ReadableFile => ({
      ...file,
      etag: file.sha256,
      open: (range) => content.open(file.sha256, range).catch((error: unknown) => asNotFound(error, file.sha256)),
    }),
    /** Runs work with a file of the bytes. */
    withFile:
      (sha256: string) =>
      <Result>(work: (file: string) => Promise<Result>): Promise<Result> =>
        content.withFile(sha256, work).catch((error: unknown) => asNotFound(error, sha256)),
  }
}

export type BytesOf = ReturnType<typeof createOriginals>

export type FileService = ReturnType<typeof createFileService>

const UNKNOWN = { mediaType: '', width: null, height: null, pages: null, thumbhash: null }

async function knownFile(store: Store, sha256: string): Promise<FileRow | undefined> {
  if (!SHA256.test(sha256)) return undefined
  const file = (await store.read.files.get([sha256])).get(sha256)
  return file?.state === 'kept' ? file : undefined
}
