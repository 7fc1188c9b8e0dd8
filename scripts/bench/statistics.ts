// Statistics for tables of measurements.

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/**
 * @param fraction 0…1
 * @returns the nearest existing value; NaN for none
 */
export function percentile(values: ArrayLike<number>, fraction: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

/** A stream of numbers 0…1 that is the same for the same seed (mulberry32, public domain). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
