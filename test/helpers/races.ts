// Repeats work, several runs at a time. TEST_RACES sets the number of runs.

export const RACES = Number(process.env['TEST_RACES'] ?? 24)
/** Runs of slow work, which starts threads or hashes passwords. */
export const SLOW_RACES = process.env['TEST_RACES'] === undefined ? 4 : RACES
export const FEW_LANES = 2
/** Runs of one kind at a time. */
export const LANES = 8

/** @param work gets the number of the run as `n` */
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
