// Measures the time that the thread itself has worked, independent of other load on the machine.

/** Milliseconds. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
