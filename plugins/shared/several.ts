// Shared by the built-in destinations: several files of one run, some at a time.
import type { ExportFile, SeveralContext } from '../../src/kernel/destination.ts'

/** Files in flight: enough to hide the delay of a line. */
export const FILES_AT_ONCE = 4

/** Faults of the files themselves: making one, or noting that it was delivered. */
const ofFiles = new WeakSet<WeakKey>()

/** Whether the fault of a delivery is none of its destination. */
export function isOfFiles(fault: unknown): boolean {
  return fault instanceof Error && ofFiles.has(fault)
}

function ofFile(fault: unknown): never {
  if (fault instanceof Error) ofFiles.add(fault)
  throw fault
}

/** The first fault ends the taking of files, and is thrown when the files in flight have ended. */
export async function deliverSeveral(
  files: AsyncIterable<ExportFile>,
  context: SeveralContext,
  deliver: (file: ExportFile) => Promise<unknown>,
): Promise<void> {
  const iterator = files[Symbol.asyncIterator]()
  const faults: unknown[] = []
  async function work(): Promise<void> {
    while (faults.length === 0) {
      context.signal.throwIfAborted()
      const { done, value } = await iterator.next().catch(ofFile)
      if (done === true) return
      await deliver(value)
      await context.delivered(value).catch(ofFile)
    }
  }
  const note = (error: unknown): void => void faults.push(error)
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, () => work().catch(note)))
  if (faults.length > 0) throw faults[0]
}
