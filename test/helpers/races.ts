// Work that is done again and again, some of it at a time. TEST_RACES says how often.

export const RACES = Number(process.env['TEST_RACES'] ?? 24)
/** Of a kind that takes long: threads begin, or passwords are hashed. */
export const SLOW_RACES = process.env['TEST_RACES'] === undefined ? 4 : RACES
export const FEW_LANES = 2
/** So many of one kind are under way at a time. */
export const LANES = 8

/** `n`: which one it is. */
export async function inLanes(
  work: (n: number, lane: number) => Promise<void>,
  lanes = LANES,
  rounds = RACES,
): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (next < rounds) await work(next++, lane)
    }),
  )
}
