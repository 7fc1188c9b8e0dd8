// Translates faults of the database. The database reports faults by SQLSTATE; its client and the network report them by
// words.
import { PimletError } from '../kernel/errors.ts'

/** SQLSTATEs, or their first characters, of a database that cannot answer now. */
const UNAVAILABLE_STATES = ['53', '57P', '08', '55P03', '57014', '25P', '25006']
/** SQLSTATEs of two transactions that conflict. */
const AGAIN_STATES = ['40001', '40P01']
/** SQLSTATEs after which the database, or a pooler, closes the connection. */
const LAST_STATES = ['57P', '08', '25P03']
/** First characters of the SQLSTATEs of a database that starts, stops or recovers. */
const AWAY_STATES = '57P'

/** Translates `error` for the rest of the product. A database that is full, gone or shutting down is UNAVAILABLE. */
export function translateError(error: unknown): unknown {
  if (error instanceof PimletError || !(error instanceof Error)) return error
  if (isLost(error) || UNAVAILABLE_STATES.some((state) => stateOf(error)?.startsWith(state)))
    return new PimletError('UNAVAILABLE', 'The database does not answer, is full or is shutting down', { cause: error })
  return error
}

/** Whether the same transaction may succeed when it is run again. */
export function isWorthAgain(error: unknown): boolean {
  return AGAIN_STATES.includes(stateOf(error) ?? '')
}

/** Whether a statement was cancelled, by its timeout or by another connection. */
export function isCancelled(error: unknown): boolean {
  return stateOf(causeOf(error)) === '57014'
}

/** Returns whether no database answered. An answer that refuses is an answer, too. */
export function isAway(error: unknown): boolean {
  const cause = causeOf(error)
  const state = stateOf(cause)
  return state === undefined ? cause instanceof Error && isLost(cause) : state.startsWith(AWAY_STATES)
}

/** Returns whether the database closes the connection after this error. */
export function endsConnection(error: unknown): boolean {
  return LAST_STATES.some((state) => stateOf(error)?.startsWith(state))
}

/** Returns whether the error is from a pooler that lends connections for single statements. */
export function isWithoutTransactions(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof Error && /statement pooling mode/.test(cause.message)
}

function causeOf(error: unknown): unknown {
  return error instanceof PimletError ? error.cause : error
}

/** Returns the SQLSTATE; undefined: the error is not from the database. */
function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns whether the network or the client reports a lost connection. */
function isLost(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined || ['ECONNRESET', 'EPIPE', 'ECONNREFUSED'].includes(code ?? '')) return true
  return /^(Connection terminated|Client (was closed|has encountered)|timeout expired|Query read timeout)/.test(
    error.message,
  )
}
