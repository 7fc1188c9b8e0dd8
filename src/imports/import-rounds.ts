// Decides the next step of each line of an import, whether lines wait in memory or in storage. Contract 2 §7, 3 §4.
import { isRefusal, MissingRecord, type PimletError } from '../kernel/errors.ts'
import type { WaitingRow } from '../store/bulk-port.ts'
import type { WrittenLine } from './import-line.ts'

/**
 * Rounds for lines that refer to missing records. `first`: the line waits; `again`: all waiting lines are retried;
 * `without`: lines are written without references to waiting lines; `whole`: lines are written with all references.
 */
export const ROUNDS = { first: 0, again: 1, without: 2, whole: 3 } as const

export type LineEnding = { readonly written: WrittenLine } | { readonly error: PimletError }
/** `written`: the result of an earlier round that left out references. */
export type Waiting = Pick<WaitingRow, 'written'>

/** Keeps the outcomes of lines, and the lines that wait. */
export interface Outcomes<Line> {
  count(line: Line, written: WrittenLine): void | Promise<void>
  /** `counted`: the outcome under which the line has been counted so far. */
  fail(line: Line, error: PimletError, counted: WrittenLine['outcome'] | undefined): void | Promise<void>
  /** Lets the line wait, or replaces how it waits. Resolves to whether there is room. */
  wait(line: Line, waiting: Waiting): boolean | Promise<boolean>
  endWait(line: Line): void | Promise<void>
}

/** Resolves to how the writing of a line ended. @throws errors that the line does not cause */
export function endingOf(writing: Promise<WrittenLine>): Promise<LineEnding> {
  return writing.then(
    (written) => ({ written }),
    (error: unknown) => {
      if (isRefusal(error)) return { error }
      throw error
    },
  )
}

/** @param waiting undefined: the line has not waited */
export async function endLine<Line>(
  outcomes: Outcomes<Line>,
  round: number,
  line: Line,
  ending: LineEnding,
  waiting?: Waiting,
): Promise<void> {
  if ('error' in ending) {
    const mayWait = ending.error instanceof MissingRecord && round < ROUNDS.without
    if (mayWait && (waiting !== undefined || (await outcomes.wait(line, { written: null })))) return
    await outcomes.fail(line, ending.error, waiting?.written?.outcome)
  } else if (round !== ROUNDS.whole) {
    const { recordId, outcome, isPartial } = ending.written
    await outcomes.count(line, ending.written)
    if (isPartial) return void (await outcomes.wait(line, { written: { recordId, outcome } }))
  }
  if (waiting !== undefined) await outcomes.endWait(line)
}
