// How many instructions a regular expression will compile to, roughly: told from its text, because compiling one that is
// far too large takes the time that its limit is there to save.

/** Instructions besides what repeats: of a group, and of `*`, `+`, `?` and `{n,m}`. */
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
