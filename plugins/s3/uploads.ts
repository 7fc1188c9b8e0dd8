// Notes multipart uploads in the run's leftovers before their first part is sent. So parts left by a fault, invisible
// but billed, can be removed later. Uploads of other programs are never touched.
import * as v from 'valibot'
import { asDeliveryError, statusOf } from './errors.ts'
import type { Store } from './store.ts'

/** Largest deviation of the store's clock; beyond this, the store refuses all our signatures. */
const CLOCK_SKEW_MS = 15 * 60_000

const noteSchema = v.object({
  bucket: v.string(),
  key: v.string(),
  endpoint: v.optional(v.string()),
  /** Unknown until the store responds, or if its response was lost. The upload was begun at `since`, if at all. */
  uploadId: v.optional(v.string()),
  since: v.number(),
})

interface Note extends v.InferOutput<typeof noteSchema> {
  readonly name: string
}

export interface UploadWatch {
  /** Names of the notes that this delivery made. */
  readonly notes: ReadonlySet<string>
  /** The first error of any request, before later errors that it caused. */
  readonly fault: unknown
}

/** Notes each upload of this store's client, and ends all its requests with the first fault. */
export function watchUploads(store: Store): UploadWatch {
  const notes = new Set<string>()
  const watch: { notes: Set<string>; fault: unknown } = { notes, fault: undefined }
  const note = async (target: { Bucket: string; Key: string }, uploadId?: string): Promise<string> => {
    const { endpoint } = store.config
    const name = JSON.stringify({ bucket: target.Bucket, key: target.Key, endpoint, uploadId, since: Date.now() })
    notes.add(name)
    await store.context.leftovers.note(name)
    return name
  }
  store.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (/^(Abort|List|Head)/.test(commandName)) return next(args)
        const begins = commandName === 'CreateMultipartUploadCommand'
        const target = args.input as { Bucket: string; Key: string }
        const mark = begins ? await note(target) : undefined
        try {
          const result = await next(args)
          if (mark === undefined) return result
          const { UploadId, $metadata } = result.output as { UploadId: string; $metadata: { attempts?: number } }
          await note(target, UploadId)
          // Two attempts may have begun two uploads: then the mark stays, and the sweep finds both.
          if ($metadata.attempts === 1) await store.context.leftovers.forget(mark)
          return result
        } catch (error) {
          if (mark !== undefined && statusOf(error) !== undefined) await store.context.leftovers.forget(mark)
          watch.fault ??= error
          store.stop.abort()
          throw error
        }
      },
    { step: 'initialize', name: 'pimletWatchUploads' },
  )
  return watch
}

/** Removes noted uploads from the store; one that cannot be removed stays noted. Throws only when `signal` is aborted. */
export async function removeUploads(store: Store, signal: AbortSignal, only?: ReadonlySet<string>): Promise<void> {
  for (const note of await listNotes(store)) {
    if (only && !only.has(note.name)) continue
    try {
      await removeUpload(store, note, signal)
    } catch (error) {
      signal.throwIfAborted()
      const { message } = asDeliveryError(error, store.config)
      store.context.log(`an unfinished upload to s3://${note.bucket}/${note.key} stays for now: ${message}`)
      continue
    }
    await store.context.leftovers.forget(note.name)
  }
}

/**
 * Called when uploads are files. Searches for uploads that may have begun twice.
 * @param key the only one of the files in flight that is meant; undefined: all
 */
export async function settleUploads(store: Store, { notes }: UploadWatch, key?: string): Promise<void> {
  const settled = (await listNotes(store)).filter((note) => notes.has(note.name) && note.key === (key ?? note.key))
  const done = settled.filter(({ uploadId }) => uploadId !== undefined)
  for (const { name } of done) await store.context.leftovers.forget(name)
  const unsure = settled.filter((note) => !done.includes(note))
  if (unsure.length > 0) await removeUploads(store, store.context.signal, new Set(unsure.map(({ name }) => name)))
}

async function removeUpload(store: Store, note: Note, signal: AbortSignal): Promise<void> {
  const { sdk, client } = store
  const target = { Bucket: note.bucket, Key: note.key }
  const ids = note.uploadId === undefined ? await findUploads(store, note, signal) : [note.uploadId]
  for (const UploadId of ids) {
    try {
      await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId }), { abortSignal: signal })
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
  }
}

/** Finds uploads to exactly this key that began when the note was made: one of them is the upload whose ID was lost. */
async function findUploads({ sdk, client }: Store, note: Note, signal: AbortSignal): Promise<string[]> {
  const query = new sdk.ListMultipartUploadsCommand({ Bucket: note.bucket, Prefix: note.key })
  const { Uploads = [] } = await client.send(query, { abortSignal: signal })
  return Uploads.flatMap(({ Key, UploadId, Initiated }) => {
    const distance = Math.abs((Initiated?.getTime() ?? Infinity) - note.since)
    return Key === note.key && UploadId && distance <= CLOCK_SKEW_MS ? [UploadId] : []
  })
}

/** Lists notes about uploads to this store; other notes of the job are ignored. */
async function listNotes({ config, context }: Store): Promise<Note[]> {
  const names = await context.leftovers.list()
  return names.flatMap((name) => {
    const note = v.safeParse(v.pipe(v.string(), v.parseJson(), noteSchema), name)
    return note.success && note.output.endpoint === config.endpoint ? [{ ...note.output, name }] : []
  })
}
