// The part of the storage interface that moves a workspace from one storage to another.
import type { MovedRow, MovedTable } from './moving/tables.ts'

/** The rows of a workspace, while no other process writes to it. */
export interface MovedContent {
  /** Yields each row of the table once, in slices. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
  /** Discards everything that was not published. */
  close(): Promise<void>
}

/**
 * A piece of a file that waits for its import. A workspace with several servers contains such files; otherwise the data
 * directory does.
 */
export interface MovedPiece {
  readonly name: string
  /** From 0 on. */
  readonly place: number
  readonly content: Buffer
}

/** A workspace without a server. No server can open it until this object is closed. */
export interface MovingSource extends MovedContent {
  count(table: MovedTable): Promise<number>
  /** A print of the keys of the workspace; undefined: the storage contains none. */
  readonly keyPrint: string | undefined
  /** Yields the pieces, file by file, in order; undefined: files are in the data directory. */
  pieces?(): AsyncIterable<MovedPiece>
}

/** A new workspace, which exists only after `publish`. */
export interface MovingTarget extends MovedContent {
  /** Writes rows. Tables come in order, because a table may refer to earlier ones. */
  write(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** Undefined: files are in the data directory. */
  writePiece?(piece: MovedPiece): Promise<void>
  /** @param keyPrint print of the keys that all servers must have */
  publish(keyPrint: string): Promise<void>
}
