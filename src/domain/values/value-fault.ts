// What can be wrong with a value, and who is told: whoever writes gets the first fault thrown, whoever checks gets all.
// Contract 3 §2.
import { invalid } from '../errors.ts'
import type { Scope } from '../scopes/scope.ts'

/** `type`: no value of the attribute's data type at all, or no list of scoped values. */
export const FAULT_CODES = [
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

/** What is wrong with a value by itself. */
export interface ValueFault {
  readonly code: 'type' | 'pattern' | 'length' | 'range' | 'option'
  /** The rest of a sentence that begins with the field's name. */
  readonly problem: string
}

/** The same as a client is told of it. */
export interface FieldFault {
  readonly attributeAlias: string
  /** `{}` also where the scope itself is at fault. */
  readonly scope: Scope
  readonly code: FaultCode
  /** Begins with the field. */
  readonly message: string
}

/** Is told of faults in the order of what is read. A value that is at fault is passed over when `add` returns. */
export interface FaultSink {
  add(fault: FieldFault): void
  /** Whether nothing more is to be looked at. */
  readonly isFull: boolean
}

/** For writing. */
export const FIRST_FAULT: FaultSink = {
  /** @throws VALIDATION_ERROR */
  add({ message }) {
    throw invalid(message)
  },
  isFull: false,
}

/** For checking: keeps the first `limit` faults. */
export class FaultList implements FaultSink {
  readonly faults: FieldFault[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(fault: FieldFault): void {
    if (!this.isFull) this.faults.push(fault)
  }

  get isFull(): boolean {
    return this.faults.length >= this.#limit
  }
}

/** `problem` where there is one. */
export function faultOf(code: ValueFault['code'], problem: string | undefined): ValueFault | undefined {
  return problem === undefined ? undefined : { code, problem }
}
