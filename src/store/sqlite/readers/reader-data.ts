// What a reader thread of this storage gets to know when it starts.
import type { ReaderThreadData } from '../../reading/reader-messages.ts'

export interface SqliteReaderData extends ReaderThreadData {
  readonly role: 'reader'
  readonly databaseFile: string
  readonly indexFile: string
}
