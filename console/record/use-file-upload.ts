// Uploads a chosen file for a value: the last chosen file replaces an upload that still runs.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FileValue } from '../../src/core/datatypes/file.ts'
import { isAborted } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'

interface Chosen {
  readonly sha256: string
  readonly content: Blob
}

export function useFileUpload() {
  const { call } = useConsole()
  /** The name of the file that is uploading. */
  const [uploading, setUploading] = useState<string | undefined>(undefined)
  const [error, setError] = useState<Error | undefined>(undefined)
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined)
  const stop = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  /** @param onUploaded called with the value, in the scope in which the user chose the file */
  const upload = async (file: File, onUploaded: (value: FileValue) => void): Promise<void> => {
    stop.current?.abort()
    const { signal } = (stop.current = new AbortController())
    setError(undefined)
    setUploading(file.name)
    try {
      // The server finds the media type in the content: the types that browsers send depend on the machine.
      const headers = { 'Content-Type': 'application/octet-stream' }
      const { body } = await call('POST /api/v1/files', { body: file, query: { fileName: file.name }, headers, signal })
      const { pages: _, ...value } = body
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
