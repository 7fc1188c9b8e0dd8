// Regular expressions of attribute validation. They come from clients, so they run on RE2 (linear time, no catastrophic
// backtracking). Linear in the text and in the pattern's program: so the program is limited where a pattern is saved, and
// program × text where a value is checked. Contract 2 §3. Home of re2js.
import { RE2JS } from 're2js'

/** Instructions that one pattern may compile to, and all patterns of a schema together. */
export const MAX_PROGRAM = 2000
const MAX_PROGRAMS = 50_000
/** Instructions × characters that one value may take, and all values of one write of a record together. */
export const MAX_WORK = 1_000_000
const MAX_WORK_OF_WRITE = 2_000_000

/** An estimate: the engine may make it smaller, and it is still compiled and counted. */
const FAR_TOO_LARGE = 5 * MAX_PROGRAM

/** Instructions of all patterns that stay compiled. */
const KEPT_INSTRUCTIONS = 200_000
const compiled = new Map<string, RE2JS>()
let kept = 0

/** The work that patterns may still do in one write, or in another piece of work. */
export class PatternWork {
  #left: number

  constructor(most = MAX_WORK_OF_WRITE) {
    this.#left = most
  }

  /** Whether there is `work` left, which is taken then. */
  take(work: number): boolean {
    this.#left -= work
    return this.#left >= 0
  }
}

/** The fault of `text`, as the rest of a sentence, or undefined. A text that takes too much work is a fault too. */
export function findMismatch(pattern: string, text: string, work = new PatternWork()): string | undefined {
  const instructions = programSize(pattern)
  const needed = instructions * (text.length + 1)
  const product = `${text.length} characters × ${instructions} instructions of the pattern ${pattern}`
  if (needed > MAX_WORK) return `is too long to be checked: ${product} are more than ${MAX_WORK}`
  if (!work.take(needed))
    return `cannot be checked: with ${product} the values of one write take more than ${MAX_WORK_OF_WRITE} (characters × instructions)`
  return matchesPattern(pattern, text) ? undefined : `must match the pattern ${pattern}`
}

/** Whether `pattern` occurs in `text`; anchor it with ^ and $ to match the whole. @throws Error for an invalid pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).matcher(text).find()
}

/**
 * The text with `expand` in the place of each match; undefined: it takes more work than is left. A search may look at all that
 * follows, so each one counts as if it did.
 */
export function replaceMatches(
  pattern: string,
  text: string,
  expand: (groupOf: (index: number) => string) => string,
  work: PatternWork,
): string | undefined {
  const instructions = programSize(pattern)
  const matcher = compilePattern(pattern).matcher(text)
  const pieces: string[] = []
  let at = 0
  for (;;) {
    if (!work.take(instructions * (text.length - at + 1))) return undefined
    if (!matcher.find()) return pieces.join('') + text.slice(at)
    pieces.push(
      text.slice(at, matcher.start()),
      expand((index) => matcher.group(index) ?? ''),
    )
    at = matcher.end()
  }
}

/** Whether the pattern may be compared with the text: a long text takes much work. */
export function mayCompare(pattern: string, text: string, work: PatternWork): boolean {
  const needed = programSize(pattern) * (text.length + 1)
  return needed <= MAX_WORK && work.take(needed)
}

/** The texts of named groups in the first match, '' for a group without a part in it; undefined: no match. */
export function findGroups(pattern: string, text: string, names: readonly string[]): readonly string[] | undefined {
  const matcher = compilePattern(pattern).matcher(text)
  const known = namesOfGroups(pattern)
  return matcher.find() ? names.map((name) => (known.has(name) ? (matcher.group(name) ?? '') : '')) : undefined
}

/** The names of the groups of a valid pattern. */
export function namesOfGroups(pattern: string): ReadonlySet<string> {
  return new Set(Object.keys(compilePattern(pattern).namedGroups()))
}

/** How many groups a valid pattern has. */
export function countGroups(pattern: string): number {
  return compilePattern(pattern).groupCount()
}

/** The patterns of one schema or mapping, looked at one after another. */
export class PatternBudget {
  #instructions = 0

  /** The fault of the attribute's pattern, or of all patterns together, as `field problem`, or undefined. */
  findFault({ validation: { pattern } }: { readonly validation: { readonly pattern?: string | undefined } }) {
    const problem = pattern === undefined ? undefined : this.add(pattern, 'the schema')
    return problem && `validation.pattern ${problem}`
  }

  /** Why the pattern cannot be added to those of the `owner`, as the rest of a sentence; or undefined. */
  add(pattern: string, owner: string): string | undefined {
    const fault = findPatternFault(pattern)
    if (fault !== undefined) return fault
    this.#instructions += programSize(pattern)
    if (this.#instructions <= MAX_PROGRAMS) return undefined
    return `is too much: the patterns of ${owner} compile to more than ${MAX_PROGRAMS} instructions together`
  }
}

/** Why `pattern` is not a valid RE2 expression, or too large a one, as the rest of a sentence; or undefined. */
export function findPatternFault(pattern: string): string | undefined {
  if (estimateProgram(pattern) > FAR_TOO_LARGE) return `compiles to more than ${MAX_PROGRAM} instructions`
  try {
    const size = compilePattern(pattern).programSize()
    return size > MAX_PROGRAM ? `compiles to ${size} instructions, more than ${MAX_PROGRAM}` : undefined
  } catch (error) {
    return `is not a valid RE2 expression: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The pattern must be valid. */
function programSize(pattern: string): number {
  return compilePattern(pattern).programSize()
}

function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const fresh = RE2JS.compile(pattern)
  kept += fresh.programSize()
  if (kept > KEPT_INSTRUCTIONS) {
    compiled.clear()
    kept = fresh.programSize()
  }
  compiled.set(pattern, fresh)
  return fresh
}

/** Instructions besides the repeated ones: of a group, and of `*`, `+`, `?` and `{n,m}`. */
const GROUP = 2
const LOOP = 1

const REPEAT = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/
/** `\p{Greek}` and `\x{10FFFF}`: their braces repeat nothing. */
const NAMED = /^\\[pPx]\{[^}]*\}/
const QUOTED = /^\\Q([\s\S]*?)(?:\\E|$)/
const CLASS = /^\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]?/

/** Alternatives of single letters count as if each took an instruction, though the engine makes one of them all. */
export function estimateProgram(pattern: string): number {
  /** For each open group the instructions before it. */
  const outer: number[] = []
  let all = 0
  /** The latest item, which a repetition repeats. */
  let item = 0
  const add = (instructions: number): void => {
    item = instructions
    all += item
  }
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at, at + 1000)
    const repeat = REPEAT.exec(rest)
    if (repeat !== null) {
      const times = Math.max(1, Number(repeat[1]), Number(repeat[2] ?? 0))
      const options = repeat[2] === undefined ? 0 : LOOP * times
      all += item * (times - 1) + options
      item = item * times + options
      at += repeat[0].length
      continue
    }
    const length = (NAMED.exec(rest) ?? CLASS.exec(rest))?.[0].length ?? 0
    const quoted = QUOTED.exec(rest)
    if (quoted !== null) {
      add(quoted[1]!.length)
      at += quoted[0].length
    } else if (length > 0 || rest[0] === '\\') {
      add(1)
      at += Math.max(length, 2)
    } else {
      takeCharacter(rest[0]!)
      at += 1
    }
  }
  return all

  function takeCharacter(character: string): void {
    if (character === '(') {
      outer.push(all)
      all += GROUP
      item = 0
    } else if (character === ')') item = all - (outer.pop() ?? all)
    else if ('*+?'.includes(character)) {
      all += LOOP
      item += LOOP
    } else if (character !== '|') add(1)
  }
}
