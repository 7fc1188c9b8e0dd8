// Faults of templates, with their places.

/** A fault of a template. */
export class TemplateFault extends Error {
  /** The index of the character. */
  readonly at: number

  /**
   * @param problem continues a sentence that begins with the template's name, as in `has …`
   * @param meant the name that may have been meant
   */
  constructor(problem: string, at: number, meant?: string) {
    super(`${problem} at character ${at + 1}${meant === undefined ? '' : `: did you mean '${meant}'?`}`)
    this.at = at
  }
}

/** The index that the message of a fault names; undefined: none. */
export function faultPlaceOf(message: string): number | undefined {
  const [, character] = / at character (\d+)(?=:|$)/.exec(message) ?? []
  return character === undefined ? undefined : Number(character) - 1
}
