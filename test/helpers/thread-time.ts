// How long the thread itself has worked: a machine that is busy with other things takes nothing away from it.

/** Milliseconds. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
