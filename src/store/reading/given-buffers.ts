// Finds buffers that a reader thread transfers with a message instead of copying: copying large events would block the
// receiver.
import type { EventPage } from '../subscription-port.ts'
import type { ReaderPart, TaskItem } from './reader-messages.ts'

/** Bytes from which transferring is cheaper than copying. */
const LARGE = 16 * 1024

export function buffersOf({ items }: ReaderPart): ArrayBuffer[] {
  return items
    .filter(isEventPage)
    .flatMap(({ events }) => events.flatMap(({ data }) => (data.length >= LARGE ? [data.buffer] : [])))
}

function isEventPage(item: TaskItem): item is EventPage {
  return typeof item === 'object' && 'events' in item && 'through' in item
}
