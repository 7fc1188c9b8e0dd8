// A request that reports the progress of its upload: `fetch` reports none, so this is an XMLHttpRequest.

/** @param share from 0 to 1; at 1 the server still works */
export type OnProgress = (share: number) => void

/** Like `fetch`, for a Blob, an object of headers and a signal. @throws TypeError; the reason of the signal */
export function fetchWithProgress(
  input: string,
  { method, headers, body, signal }: RequestInit,
  onProgress: OnProgress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal!.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method!, input)
    for (const header of Object.entries(headers as Readonly<Record<string, string>>))
      request.setRequestHeader(...header)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total || 0))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const told = lines.map((line): [string, string] => [line.split(':')[0]!, line.replace(/^.*?: ?/, '')])
      resolve(new Response(responseText || null, { status, headers: told }))
    })
    request.addEventListener('error', () => reject(new TypeError()))
    signal!.addEventListener('abort', () => {
      reject(signal!.reason as Error)
      request.abort()
    })
    request.send(body as Blob)
  })
}
