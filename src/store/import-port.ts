// Imported files: part of `port.ts`.
import type { ImportDetails, ImportUpload } from '../imports/rules/import-upload.ts'
import type { Page } from './record-port.ts'

export interface ImportReads {
  get(id: string): Promise<ImportUpload | undefined>
  /** The details of an existing import. */
  detailsOf(id: string): Promise<ImportDetails>
  /** Lists uploads, the latest first. @param ownerId undefined: uploads of all owners */
  list(ownerId: string | undefined, page: Page): Promise<ImportUpload[]>
  count(): Promise<number>
  ids(): Promise<string[]>
  /** Imports that end before a moment (ISO 8601), `limit` at most. */
  listEndingBefore(moment: string, limit: number): Promise<ImportUpload[]>
}

export interface ImportWrites {
  /** @throws CONFLICT for an ID that exists */
  insert(upload: ImportUpload, details: ImportDetails): Promise<void>
  /** Replaces the upload with this ID, which must exist. @param details undefined: the details stay */
  update(upload: ImportUpload, details?: ImportDetails): Promise<void>
  delete(id: string): Promise<void>
}

/** Content of imported files, stored with the workspace if several servers may have it. */
export interface SharedFiles {
  /** Adds the piece at a place, from 0 on. Resolves to the bytes of all files together. */
  add(name: string, place: number, piece: Uint8Array): Promise<number>
  piece(name: string, place: number): Promise<Uint8Array | undefined>
  has(name: string): Promise<boolean>
  names(): Promise<ReadonlySet<string>>
  remove(name: string): Promise<void>
  /** Removes orphaned files: of no import, and not being uploaded by a living server. */
  sweep(): Promise<void>
}
