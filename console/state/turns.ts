// Several requests, a few at a time: a browser has six connections to a host, and a page that asks thirty questions at once takes
// them all.

/** @param tasks begun in their order, at most `width` at once. @throws what the first that fails throws; no more are begun then */
export async function inTurns<Result>(
  tasks: readonly (() => Promise<Result>)[],
  width: number,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  let hasFailed = false
  const work = async () => {
    while (next < tasks.length && !hasFailed) {
      const index = next
      next += 1
      try {
        results[index] = await tasks[index]!()
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, tasks.length) }, work))
  return results
}
