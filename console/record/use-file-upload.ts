// Uploads a chosen file for a value: the last chosen file replaces an upload that still runs.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FileValue } from '../../src/core/datatypes/file.ts'
import { isAborted } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'
import { uploadFile } from '../state/pictures.ts'

interface Chosen {
  readonly sha256: string
  readonly content: Blob
}

interface Uploading {
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
}

export function useFileUpload() {
  const { call } = useConsole()
  const [uploading, setUploading] = useState<Uploading | undefined>(undefined)
  const [error, setError] = useState<Error | undefined>(undefined)
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  /** @param onUploaded called with the value, in the scope in which the user chose the file */
  const upload = async (file: File, onUploaded: (value: FileValue) => void): Promise<void> => {
    stop.current?.abort()
    const { signal } = (stop.current = new AbortController())
    setError(undefined)
    const onProgress = (share: number) => setUploading({ name: file.name, share })
    onProgress(0)
    try {
      const value = await uploadFile(call, file, { signal, onProgress })
      setChosen({ sha256: value.sha256, content: file })
      onUploaded(value)
    } catch (failure) {
      if (!isAborted(failure)) setError(failure as Error)
    } finally {
      if (stop.current?.signal === signal) setUploading(undefined)
    }
  }
  return { uploading, error, chosen, upload, cancel: () => stop.current?.abort() }
}
