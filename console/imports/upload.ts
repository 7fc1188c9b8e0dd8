// Uploads a file with progress: `fetch` reports no progress of uploads, so this is an XMLHttpRequest. Contract 3 §4.
import { refusalOf, Unreachable } from '../api/failures.ts'
import type { Endpoints } from '../api/types.ts'
import { PREFIX } from '../state/prefix.ts'
import type { Import } from './mapping.ts'

export type UploadQuery = Omit<Endpoints['POST /api/v1/imports']['query'], 'fileName'>

interface UploadHost {
  readonly token: string | null
  renewedToken(refused: string | null): Promise<string | null>
}

interface UploadTask {
  readonly file: File
  readonly query: UploadQuery
  /** @param share from 0 to 1; at 1 the server still reads the file */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

/** @throws Refusal, Unreachable; AbortError of the signal */
export async function uploadFile(host: UploadHost, task: UploadTask): Promise<Import> {
  const { token } = host
  let answer = await send(token, task)
  if (answer.status === 401) {
    const renewed = await host.renewedToken(token)
    if (renewed !== null) answer = await send(renewed, task)
  }
  if (answer.status !== 201) throw await refusalOf(new Response(answer.text, { status: answer.status || 500 }))
  return JSON.parse(answer.text) as Import
}

function send(token: string | null, { file, query, onProgress, signal }: UploadTask) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>()
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  request.open('POST', `${PREFIX}/api/v1/imports?${new URLSearchParams({ ...query, fileName: file.name })}`)
  if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`)
  // The server detects the format by the name: the types that browsers send depend on the programs of the machine.
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => resolve({ status: request.status, text: request.responseText }))
  request.addEventListener('error', () => reject(new Unreachable(undefined)))
  request.addEventListener('abort', () => reject(signal.reason as Error))
  signal.addEventListener('abort', stop)
  if (signal.aborted) reject(signal.reason as Error)
  else request.send(file)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
