// The events that a subscription asks for.
import { PimletError } from '../../domain/errors.ts'
import type { EventReads } from '../subscription-port.ts'

export function createEventReads(): EventReads {
  return async () => {
    throw new PimletError('UNAVAILABLE', 'This storage does not read events yet')
  }
}
