// Several requests, a few at a time: a browser has six connections to a host, and thirty requests at once would occupy
// them all.

/** Runs tasks in order, at most `width` at once. @throws the error of the first failed task; then no further task begins */
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
