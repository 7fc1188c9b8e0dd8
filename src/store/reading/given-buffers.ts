// What a reader thread gives away with a message instead of having it copied: large events would hold up whoever takes them.
import type { EventPage } from '../subscription-port.ts'
import type { ReaderPart, TaskItem } from './reader-messages.ts'

/** Bytes from which giving is cheaper than copying. */
const LARGE = 16 * 1024

export function buffersOf({ items }: ReaderPart): ArrayBuffer[] {
  return items
    .filter(isEventPage)
    .flatMap(({ events }) => events.flatMap(({ data }) => (data.length >= LARGE ? [data.buffer] : [])))
}

function isEventPage(item: TaskItem): item is EventPage {
  return typeof item === 'object' && 'events' in item && 'through' in item
}
