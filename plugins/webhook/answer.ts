// What an answer means for the run: delivered, to be tried again, or over (contract 2 §6). Nothing of its body is repeated.
import { PermanentError, RetryLaterError } from '../../src/kernel/destination.ts'
import { parseRetryAfter } from '../../src/kernel/webhook/retry-after.ts'
import type { Answer } from '../../src/kernel/webhook/webhook-request.ts'

export function assertDelivered(answer: Answer): void {
  if (answer.status >= 200 && answer.status < 300) return
  throw explain(answer)
}

/** For OPTIONS, which many receivers do not know: what says that a delivery would be refused or find nothing is a fault. */
export function assertPresent(answer: Answer): void {
  const { status, where } = answer
  if (status === 405 || status === 501 || (status >= 200 && status < 300)) return
  if (status === 401 || status === 403 || status === 404) {
    throw new PermanentError(
      `${where} answered ${status} to OPTIONS (some receivers answer so to every OPTIONS request: a run of the job tells for certain)`,
    )
  }
  if (status === 400 || status === 415 || status === 422) return
  throw explain(answer)
}

function explain({ status, retryAfter, where }: Answer): Error {
  const message = `${where} answered ${status}`
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const wait = parseRetryAfter(retryAfter, Date.now())
    return wait === undefined ? new Error(message) : new RetryLaterError(message, wait)
  }
  if (status === 410) return new PermanentError(`${message}: it is gone for good`, { pauseJob: true })
  if (status >= 300 && status < 400) return new PermanentError(`${message}: redirects are not followed`)
  return new PermanentError(message)
}
