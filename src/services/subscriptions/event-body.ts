// The body of a request that delivers events. Contract 3 §6.
import { writeCursor } from '../../domain/events/cursors.ts'
import type { ReadEvent } from '../../storage/subscription-port.ts'

interface ToldEvent {
  readonly type: string
  readonly timestamp: string
  readonly cursor: string
  readonly dataJson: string
}

/** `isList`: an array, also of one. */
export function toBody(events: readonly ToldEvent[], isList: boolean): string {
  const bodies = events.map(({ dataJson, ...event }) => `${JSON.stringify(event).slice(0, -1)},"data":${dataJson}}`)
  return isList ? `[${bodies.join(',')}]` : bodies.join('')
}

/** With its members in their order. */
export function asTold({ type, timestamp, sequence, dataJson }: ReadEvent): ToldEvent {
  return { type, timestamp, cursor: writeCursor(sequence), dataJson }
}
