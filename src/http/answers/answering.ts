// How the result of a write becomes its answer, where that is more than its JSON: a request with an Idempotency-Key keeps the
// answer in the transaction of its write, before the handler has it.
import type { Caller } from '../../core/accounts/caller.ts'

/** The caller for a service whose result the handler answers with by `toReply`. */
export function answering<Result>(caller: Caller, toReply: (result: Result) => unknown): Caller {
  const { keep } = caller
  return keep === undefined ? caller : { ...caller, keep: (tx, result) => keep(tx, toReply(result as Result)) }
}
