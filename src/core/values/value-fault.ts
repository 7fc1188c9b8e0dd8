// The faults of values. A write reports the first ones in one message; a check lists all.
// Contract 3 §2.
import * as v from 'valibot'
import type { OutputOf } from '../../kernel/input/validation.ts'
import { invalid } from '../../kernel/errors.ts'
import { ScopeShape } from '../scopes/scope.ts'

/** `type`: no value of the attribute's data type at all, or no list of scoped values. */
const FAULT_CODES = [
  'required',
  'type',
  'pattern',
  'length',
  'range',
  'unique',
  'option',
  'scope',
  'reference',
  'permission',
] as const
export type FaultCode = (typeof FAULT_CODES)[number]

/** The fault of a value by itself. */
export interface ValueFault {
  readonly code: 'type' | 'pattern' | 'length' | 'range' | 'option'
  /** The rest of a sentence that begins with the field's name. */
  readonly problem: string
}

export const IssueShape = v.object({
  attributeAlias: v.string(),
  scope: v.pipe(ScopeShape, v.description('{} if the scope itself is wrong.')),
  code: v.picklist(FAULT_CODES),
  /** Begins with the field. */
  message: v.string(),
})

/** The same fault as clients see it. */
export type FieldFault = OutputOf<typeof IssueShape>

/** Receives the faults in the order of the input. The reader skips a faulty value when `add` returns. */
export interface FaultSink {
  add(fault: FieldFault): void
  /** Whether the reader may stop. */
  readonly isFull: boolean
}

/** Faults in the message of a write that is refused. */
const MAX_TOLD = 10

/** Keeps the first `limit` faults. */
export class FaultList implements FaultSink {
  readonly faults: FieldFault[] = []
  readonly #limit: number

  constructor(limit = MAX_TOLD) {
    this.#limit = limit
  }

  add(fault: FieldFault): void {
    if (!this.isFull) this.faults.push(fault)
  }

  get isFull(): boolean {
    return this.faults.length >= this.#limit
  }

  /** @throws VALIDATION_ERROR with the messages of all faults */
  assertNone(): void {
    if (this.faults.length === 0) return
    const messages = this.faults.map(({ message }) => message)
    throw invalid([...messages, ...(this.isFull ? ['there may be more'] : [])].join('; '))
  }
}

/** `problem` where there is one. */
export function faultOf(code: ValueFault['code'], problem: string | undefined): ValueFault | undefined {
  return problem === undefined ? undefined : { code, problem }
}
