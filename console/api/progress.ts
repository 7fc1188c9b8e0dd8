// A request that reports the progress of its upload: `fetch` reports none, so this is an XMLHttpRequest.

/** @param share from 0 to 1; at 1 the server still works */
export type OnProgress = (share: number) => void

/** Like `fetch`, for a body and headers that are a Blob and an object. @throws TypeError; the reason of the signal */
export function fetchWithProgress(input: string, init: RequestInit, onProgress: OnProgress): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const signal = init.signal!
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  request.open(init.method!, input)
  for (const [name, value] of Object.entries(init.headers as Readonly<Record<string, string>>))
    request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => {
    const { status, statusText } = request
    const lines = request.getAllResponseHeaders().trim().split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => [line.split(':')[0]!, line.replace(/^.*?:/, '').trim()]),
    )
    resolve(new Response(request.responseText || null, { status, statusText, headers }))
  })
  request.addEventListener('error', () => reject(new TypeError('The server does not answer')))
  request.addEventListener('abort', () => reject(signal.reason as Error))
  signal.addEventListener('abort', stop)
  if (signal.aborted) reject(signal.reason as Error)
  else request.send(init.body as Blob)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
