// The workspace's facts about files: part of `port.ts`. The bytes are in a store of their own (`src/files/content`).
import type { FileName } from '../core/datatypes/file.ts'
import type { AttributeOfSchema } from '../core/records/rules/referrer.ts'

/** Facts of bytes, which come from the bytes alone and never change. */
export interface FileDescription {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** Pixels as shown, with the orientation applied; null: no picture, or one that cannot be read. */
  readonly width: number | null
  readonly height: number | null
  /** null: not known. */
  readonly pages: number | null
  /** A picture in some 25 bytes, in base64; null: no picture. */
  readonly thumbhash: string | null
}

/** `arriving`: the bytes may not be there yet. `leaving`: the bytes are being removed. */
export type FileState = 'arriving' | 'kept' | 'leaving'

export interface FileRow extends FileDescription {
  readonly sha256: string
  readonly state: FileState
}

export interface FileReads {
  /** The files with these hashes, in any state. */
  get(hashes: readonly string[]): Promise<ReadonlyMap<string, FileRow>>
  /** The hashes that the caller has uploaded, not long ago. */
  uploadedBy(callerId: string, hashes: readonly string[]): Promise<ReadonlySet<string>>
  /** The hash of the latest file that the caller has uploaded under the name, and not long ago. */
  uploadedAs(callerId: string, fileName: string): Promise<string | undefined>
  /** The files that a value in one of the places names. */
  namedIn(hashes: readonly string[], places: readonly AttributeOfSchema[]): Promise<ReadonlySet<string>>
  /** Kept files in the order of their hashes, after one of them. */
  listKept(after: string, limit: number): Promise<readonly FileRow[]>
  /** Files in the state `leaving`, in the order of their hashes, after one of them. */
  listLeaving(after: string, limit: number): Promise<readonly FileRow[]>
}

/** Days and moments are ISO 8601. */
export interface FileWrites {
  /** Notes or replaces a file, and notes that it is unnamed since `moment`. */
  put(file: FileRow, moment: string): Promise<void>
  /** Notes that the caller uploaded a kept file; it is unnamed since then at the earliest. */
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
