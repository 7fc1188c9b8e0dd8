// Which work comes first where there is more of it than processors.
import { setPriority } from 'node:os'

/** Answering requests comes first. On Linux a thread has a priority of its own; elsewhere all stay equal. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // Not allowed here; then all threads are equal.
  }
}
