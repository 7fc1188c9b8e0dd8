// What a reader thread of this storage gets to know when it starts.
import type { ReaderThreadData } from '../../store/reading/reader-messages.ts'
import type { PostgresLocation } from '../location.ts'

export interface PostgresReaderData extends ReaderThreadData {
  readonly role: 'databaseReader'
  readonly location: PostgresLocation
}
