// Lists of record numbers, ascending and without duplicates.

export type Numbers = Float64Array

export const NONE: Numbers = new Float64Array(0)

/** Sorts numbers and removes duplicates. Most sets are read in their order. */
export function toNumbers(values: readonly number[]): Numbers {
  const numbers = Float64Array.from(values)
  if (values.every((value, at) => at === 0 || values[at - 1]! < value)) return numbers
  const sorted = numbers.sort()
  let length = 0
  for (let at = 0; at < sorted.length; at += 1)
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[length++] = sorted[at]!
  return sorted.subarray(0, length)
}

export function intersectNumbers(one: Numbers, other: Numbers): Numbers {
  return merge(one, other, (isInOne, isInOther) => isInOne && isInOther)
}

export function uniteNumbers(one: Numbers, other: Numbers): Numbers {
  if (one.length === 0) return other
  return other.length === 0 ? one : merge(one, other, () => true)
}

/** Returns the numbers of `one` that are not in `other`. */
export function subtractNumbers(one: Numbers, other: Numbers): Numbers {
  return other.length === 0 ? one : merge(one, other, (isInOne, isInOther) => isInOne && !isInOther)
}

function merge(one: Numbers, other: Numbers, isKept: (isInOne: boolean, isInOther: boolean) => boolean): Numbers {
  const merged = new Float64Array(one.length + other.length)
  let [length, left, right] = [0, 0, 0]
  while (left < one.length || right < other.length) {
    const [a, b] = [one[left] ?? Infinity, other[right] ?? Infinity]
    if (isKept(a <= b, b <= a)) merged[length++] = Math.min(a, b)
    if (a <= b) left += 1
    if (b <= a) right += 1
  }
  return merged.subarray(0, length)
}

/** Returns the place of the first number above `number`. */
export function placeAbove(numbers: Numbers, number: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (numbers[middle]! > number) to = middle
    else from = middle + 1
  }
  return from
}

/** Returns a fast membership test, for many numbers. */
export function memberTest(numbers: Numbers): (number: number) => boolean {
  const isMember = new Uint8Array((numbers.at(-1) ?? 0) + 1)
  for (const number of numbers) isMember[number] = 1
  return (number) => isMember[number] === 1
}
