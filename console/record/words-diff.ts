// The differences between two texts, by words. Pure. Y1.

interface DiffPart {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** The most compared pairs of words; beyond that, the whole difference is one part. */
const MAX_PAIRS = 400_000
/** The number of characters of unchanged text that are shown beside a difference. */
const CONTEXT = 60

export function diffWords(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const parts: DiffPart[] = [
    { kind: 'same', text: old.slice(0, start).join('') },
    ...diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    { kind: 'same', text: old.slice(old.length - end).join('') },
  ]
  return joined(parts)
}

/** Cuts long unchanged runs in their middle. */
export function withoutSameText(parts: readonly DiffPart[], context = CONTEXT): DiffPart[] {
  return parts.map((part, index) => {
    if (part.kind !== 'same' || part.text.length <= 2 * context + 3) return part
    const head = index === 0 ? '' : part.text.slice(0, context).toWellFormed()
    const tail = index === parts.length - 1 ? '' : part.text.slice(-context).toWellFormed()
    return { kind: 'same', text: `${head} … ${tail}` }
  })
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? []
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffPart[] {
  if (old.length === 0 || now.length === 0 || old.length * now.length > MAX_PAIRS)
    return [
      { kind: 'gone', text: old.join('') },
      { kind: 'new', text: now.join('') },
    ]
  return walk(old, now, commonLengths(old, now))
}

/** Returns, for each pair of positions, the length of the longest common subsequence of words after these positions. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const at = row * width + column
      lengths[at] =
        old[row] === now[column] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!)
    }
  }
  return lengths
}

function walk(old: readonly string[], now: readonly string[], lengths: Uint32Array): DiffPart[] {
  const width = now.length + 1
  const parts: DiffPart[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      parts.push({ kind: 'same', text: old[row]! })
      row += 1
      column += 1
    } else if (
      column >= now.length ||
      (row < old.length && lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      parts.push({ kind: 'gone', text: old[row]! })
      row += 1
    } else {
      parts.push({ kind: 'new', text: now[column]! })
      column += 1
    }
  }
  return parts
}

/** Merges adjacent parts of a kind; spaces alone between two changes belong to both. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const whole: DiffPart[] = []
  for (const part of parts) {
    if (part.text === '') continue
    const last = whole.at(-1)
    if (last?.kind === part.kind) whole[whole.length - 1] = { kind: part.kind, text: last.text + part.text }
    else whole.push(part)
  }
  return whole
}
