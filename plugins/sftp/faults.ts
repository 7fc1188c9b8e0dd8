// What a fault of an SFTP connection means to the runner: never again, or as soon as the backoff says. Contract 2 §6.
import { PermanentError } from '../../src/exports/destination.ts'

export const NO_SUCH_FILE = 2
export const NOT_SUPPORTED = 8

const PERMANENT_STATUS = new Map([
  [NO_SUCH_FILE, 'no such file or directory'],
  [3, 'permission denied'],
])

/** What ssh2-sftp-client puts before the server's words. */
const METHOD = /^(sftp|realPath|delete|_rename|_posixRename): /

/** The SFTP status number of a failed request, or undefined. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; message?: string } | undefined) : undefined
  // ssh2 refuses an extension that the server does not offer before it asks the server.
  if (cause?.message === 'Server does not support this extended request') return NOT_SUPPORTED
  return typeof cause?.code === 'number' ? cause.code : undefined
}

/** The error of a request, for the runner; `what` was tried. */
export function explainStatus(what: string, error: unknown): Error {
  const { code, message = String(error) } = error as { code?: unknown; message?: string }
  const permanent = typeof code === 'number' ? PERMANENT_STATUS.get(code) : undefined
  if (permanent !== undefined) return new PermanentError(`${what}: ${permanent}`, { cause: error })
  return new Error(`${what}: ${message.replace(METHOD, '')}`, { cause: error })
}

/** The error of a connection that could not be made, or broke. */
export function explainConnection(who: string, error: Error & { level?: string }): Error {
  if (error.level === 'client-authentication') {
    return new PermanentError(`${who}: the server did not accept the user name with this password or key`, {
      cause: error,
    })
  }
  const hasNothingInCommon = error.level === 'handshake' && error.message.includes('no matching')
  const message = `${who}: ${error.message}`
  return hasNothingInCommon ? new PermanentError(message, { cause: error }) : new Error(message, { cause: error })
}
