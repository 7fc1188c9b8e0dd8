// The part of the storage interface that moves a workspace from one storage to another one.
import type { MovedRow, MovedTable } from './moving/tables.ts'

/** The rows of a workspace, while nobody else writes to it. */
export interface MovedContent {
  /** Every row of the table once, in slices. */
  rows(table: MovedTable): AsyncIterable<readonly MovedRow[]>
  /** Discards everything that was not published. */
  close(): Promise<void>
}

/**
 * A file that waits for its import. Where several servers need it, it is with the workspace and not in a data
 * directory.
 */
export interface MovedPiece {
  readonly name: string
  /** From 0 on. */
  readonly place: number
  readonly content: Buffer
}

/** A workspace that no server has, nor can have until this is closed. */
export interface MovingSource extends MovedContent {
  count(table: MovedTable): Promise<number>
  /** A print of the keys of the workspace; undefined where its storage keeps none. */
  readonly keyPrint: string | undefined
  /** One file after another, in order; undefined: files are in its data directory. */
  pieces?(): AsyncIterable<MovedPiece>
}

/** A future workspace: until it is published, there is none. */
export interface MovingTarget extends MovedContent {
  /** The tables in their order: one may refer to those before it. */
  write(table: MovedTable, rows: readonly MovedRow[]): Promise<void>
  /** Undefined: files are in its data directory. */
  writePiece?(piece: MovedPiece): Promise<void>
  /** @param keyPrint made from the keys that its servers have to have */
  publish(keyPrint: string): Promise<void>
}
