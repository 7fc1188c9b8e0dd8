// The workspace's facts about files: part of `port.ts`. Another store (`src/files/content`) contains the bytes.
import type { FileName } from '../core/datatypes/file.ts'
import type { AttributeOfSchema } from '../core/records/rules/referrer.ts'

/** Facts that follow from the bytes alone, and never change. */
export interface FileDescription {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** Pixels of the shown picture, after its rotation; null: the file is no readable picture. */
  readonly width: number | null
  readonly height: number | null
  /** null: unknown. */
  readonly pages: number | null
  /** A picture in some 25 bytes, in base64; null: no picture. */
  readonly thumbhash: string | null
}

/** `arriving`: the bytes may not be stored yet. `leaving`: the bytes are being deleted. */
export type FileState = 'arriving' | 'kept' | 'leaving'

export interface FileRow extends FileDescription {
  readonly sha256: string
  readonly state: FileState
}

export interface FileReads {
  /** The files with these hashes, in any state. */
  get(hashes: readonly string[]): Promise<ReadonlyMap<string, FileRow>>
  /** Returns the hashes that the caller has uploaded recently. */
  uploadedBy(callerId: string, hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the hash of the latest file that the caller has recently uploaded under the name. */
  uploadedAs(callerId: string, fileName: string): Promise<string | undefined>
  /** Returns the files that a value in one of the places names. */
  namedIn(hashes: readonly string[], places: readonly AttributeOfSchema[]): Promise<ReadonlySet<string>>
  /** Lists kept files in the order of their hashes, after a hash. */
  listKept(after: string, limit: number): Promise<readonly FileRow[]>
  /** Lists files in the state `leaving`, in the order of their hashes, after a hash. */
  listLeaving(after: string, limit: number): Promise<readonly FileRow[]>
}

/** Days and moments are ISO 8601. */
export interface FileWrites {
  /** Stores or replaces a file, which is unnamed since `moment`. */
  put(file: FileRow, moment: string): Promise<void>
  /** Stores that the caller uploaded a kept file. The file counts as unnamed from this moment at the earliest. */
  noteUpload(file: FileName, callerId: string, moment: string): Promise<void>
  /** Deletes the notes of uploads before a moment; resolves to their number. */
  forgetUploads(before: string, limit: number): Promise<number>
  /**
   * Examines `limit` files that may be unnamed since `before.uploaded`, or since `before.named` if a value has named them.
   * Finds the files that no value names, in any state but `leaving`. The others are examined again only when no value names
   * them.
   */
  takeUnnamed(
    before: { readonly now: string; readonly uploaded: string; readonly named: string },
    limit: number,
  ): Promise<{ readonly looked: number; readonly unnamed: readonly FileRow[] }>
  delete(sha256: string): Promise<void>
}
