// In continuous integration the few files that failed run once more, alone: on a busy machine a browser or a server may
// be late once. The summary counts the failures that passed at the second attempt.

export interface Attempt {
  /** Paths; the empty path is a failure of no file. */
  readonly failedFiles: readonly string[]
  /** Whether each file that came to its end passed, by its path from the root; alone in a process, a file has its tests here. */
  readonly ends: ReadonlyMap<string, boolean>
  /** Of the whole run; absent where it was stopped. */
  readonly summary: Summary | undefined
}

interface Summary {
  readonly counts: {
    readonly tests: number
    readonly suites: number
    readonly passed: number
    readonly cancelled: number
    readonly skipped: number
    readonly todo: number
  }
  readonly duration_ms: number
}

/** More failed files are no accident. */
const MOST_FILES = 6

/** Returns the files that get a second attempt. */
export function repeatable({ failedFiles, summary }: Attempt, env: NodeJS.ProcessEnv = process.env): readonly string[] {
  if (env['CI'] !== 'true' || summary === undefined) return []
  return failedFiles.length > MOST_FILES || failedFiles.includes('') ? [] : failedFiles
}

/**
 * Returns the files of a failed process that run again. All do where the process ended before its last file, or where the fault belongs
 * to no file.
 */
export function failedOf(group: readonly string[], ends: Attempt['ends']): readonly string[] {
  const failed = group.filter((file) => ends.get(file) === false)
  return failed.length > 0 && group.every((file) => ends.has(file)) ? failed : group
}

/** Returns the lines of Node's runner for both attempts together: a test counts once. */
export function summaryOf(first: Attempt, second: Attempt): string {
  const [one, other] = [first.summary?.counts, second.summary?.counts]
  if (one === undefined || other === undefined) return ''
  const failed = failuresOf(other)
  const lines = {
    tests: one.tests,
    suites: one.suites,
    pass: one.passed + failuresOf(one) - failed,
    fail: failed - other.cancelled,
    cancelled: other.cancelled,
    skipped: one.skipped,
    todo: one.todo,
    'second attempts': failuresOf(one),
    duration_ms: first.summary!.duration_ms + second.summary!.duration_ms,
  }
  return Object.entries(lines)
    .map(([name, value]) => `ℹ ${name} ${value}`)
    .join('\n')
}

/** Failed and cancelled tests. */
function failuresOf({ tests, passed, skipped, todo }: Summary['counts']): number {
  return tests - passed - skipped - todo
}
