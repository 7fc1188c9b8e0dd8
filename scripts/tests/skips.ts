// Groups skipped tests by reason. Continuous integration has all programs that tests need, so a skipped test fails its
// run.

interface Passed {
  readonly name: string
  readonly skip?: string | boolean | undefined
}

export class Skips {
  readonly #named = new Map<string, string[]>()

  note({ name, skip }: Passed): void {
    if (skip === undefined || skip === false) return
    const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason is given'
    this.#named.set(reason, [...(this.#named.get(reason) ?? []), name])
  }

  /** One line for each reason. */
  report(): void {
    for (const [reason, names] of this.#named)
      console.log(`Skipped, ${reason}: ${names[0]}${names.length > 1 ? `, and ${names.length - 1} more` : ''}`)
    if (this.#named.size > 0 && process.env['CI'] === 'true') process.exitCode = 1
  }
}
