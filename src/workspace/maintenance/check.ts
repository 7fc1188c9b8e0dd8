// The result of one check of a workspace.

/** A warning is worth knowing; a problem means that something is wrong. */
export type CheckStatus = 'ok' | 'warning' | 'problem'

export interface CheckResult {
  readonly name: string
  readonly status: CheckStatus
  /** One line. */
  readonly message: string
  /** How much is wrong. */
  readonly count: number
  /** The first of it, a line each. */
  readonly findings: readonly string[]
}

/** Findings that are kept and named; more are only counted. */
const KEPT = 10

/** Collects the findings of one check. */
export class Findings {
  readonly #kept: string[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(finding: string): void {
    this.#count += 1
    if (this.#kept.length < KEPT) this.#kept.push(finding)
  }

  /** @param ok message without findings @param found message with findings */
  asResult(name: string, ok: string, found: string, status: CheckStatus = 'problem'): CheckResult {
    const isOk = this.#count === 0
    return {
      name,
      status: isOk ? 'ok' : status,
      message: isOk ? ok : found,
      count: this.#count,
      findings: this.#kept,
    }
  }
}

export function result(name: string, status: CheckStatus, message: string): CheckResult {
  return { name, status, message, count: status === 'ok' ? 0 : 1, findings: [] }
}
