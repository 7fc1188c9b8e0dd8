// An upload from any part of the place: progress, failure, and the page that follows.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isAborted } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { AS_BYTES } from '../state/pictures.ts'

type UploadQuery = Omit<Endpoints['POST /api/v1/imports']['query'], 'fileName'>

/**
 * Files that this tab has uploaded, so that a file can be uploaded again with other settings. They last as long as the
 * page.
 */
const sent = new Map<string, SentFile>()

/** A file, and the settings of its upload. */
interface SentFile {
  readonly file: File
  readonly query: UploadQuery
}

export function sentFile(importId: string): SentFile | undefined {
  return sent.get(importId)
}

interface Uploading {
  readonly file: File
  readonly share: number
}

/** @param then query of the address that a new import opens */
export function useUpload(then: Readonly<Record<string, string>> = {}) {
  const { cache, call, router } = useConsole()
  const [now, setNow] = useState<Uploading | undefined>(undefined)
  const [failure, setFailure] = useState<{ readonly error: Error; readonly retry: () => void } | undefined>(undefined)
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  /** @param before the import that this upload replaces */
  const upload = async (file: File, query: UploadQuery = {}, before?: string): Promise<void> => {
    stop.current?.abort()
    const { signal } = (stop.current = new AbortController())
    setFailure(undefined)
    setNow({ file, share: 0 })
    try {
      const onProgress = (share: number) => setNow({ file, share })
      const { body: found } = await call('POST /api/v1/imports', {
        body: file,
        query: { ...query, fileName: file.name },
        headers: AS_BYTES,
        signal,
        onProgress,
      })
      sent.set(found.id, { file, query })
      // A failure only costs space: the server removes old imports by itself.
      if (before !== undefined)
        void call('DELETE /api/v1/imports/:id', { params: { id: before } }).catch(() => undefined)
      cache.refreshAll('imports')
      router.go({ place: 'imports', id: found.id, query: then })
    } catch (error) {
      if (!isAborted(error)) setFailure({ error: error as Error, retry: () => void upload(file, query, before) })
    } finally {
      if (stop.current?.signal === signal) setNow(undefined)
    }
  }
  return { now, failure, upload, cancel: () => stop.current?.abort() }
}

export type Upload = ReturnType<typeof useUpload>
