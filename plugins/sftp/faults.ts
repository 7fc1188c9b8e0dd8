// Classifies faults of an SFTP connection for the runner: permanent, or retry with backoff (contract 2 §6). The reader of
// the message may have chosen the address. So messages never repeat the server's words, only its status numbers in pimlet's
// words.
import { PermanentError } from '../../src/kernel/destination.ts'

const NO_SUCH_FILE = 2
export const NOT_SUPPORTED = 8

const PERMANENT_STATUS = new Map([
  [NO_SUCH_FILE, 'no such file or directory'],
  [3, 'permission denied'],
])

/** Status codes of the protocol, version 3. */
const STATUS = new Map([
  [4, 'the server reports a failure'],
  [5, 'the server could not read the request'],
  [6, 'the server has no connection'],
  [7, 'the server lost its connection'],
  [NOT_SUPPORTED, 'the server does not support this request'],
])

/** Prefixes that ssh2-sftp-client adds to the server's words. */
const METHOD = /^(sftp|realPath|delete|_rename|_posixRename): /

/** Returns the SFTP status number of a failed request, or undefined. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof Error ? (error as { status?: number }).status : undefined
}

/**
 * Returns the error of a request for the runner; `what` names the request. The error has no cause: a run would repeat the
 * cause, which has the server's words.
 */
export function explainStatus(what: string, error: unknown): Error {
  const { code, message = String(error) } = error as { code?: unknown; message?: string }
  if (typeof code !== 'number') {
    // ssh2 refuses an extension that the server does not offer before it asks the server.
    const status = message === 'Server does not support this extended request' ? NOT_SUPPORTED : undefined
    // Only an error with a number has the server's text; all other texts are the client's own.
    return Object.assign(new Error(`${what}: ${message.replace(METHOD, '')}`), { status })
  }
  const permanent = PERMANENT_STATUS.get(code)
  const fault = permanent === undefined ? Error : PermanentError
  return Object.assign(new fault(`${what}: ${permanent ?? wordsOfStatus(code)}`), { status: code })
}

function wordsOfStatus(code: number): string {
  return `${STATUS.get(code) ?? 'the server refused the request'} (status ${code})`
}

/** Returns the error of a connection that failed or broke, without a cause. */
export function explainConnection(who: string, error: Error & { level?: string; code?: unknown }): Error {
  if (typeof error.code === 'number') return new Error(`${who}: the server ended the connection (reason ${error.code})`)
  if (error.level === 'client-authentication')
    return new PermanentError(`${who}: the server did not accept the user name with this password or key`)
  const hasNothingInCommon = error.level === 'handshake' && error.message.includes('no matching')
  const message = `${who}: ${error.message}`
  return hasNothingInCommon ? new PermanentError(message) : new Error(message)
}
