// The history of a record that is being erased, as it is stored until nothing of it is left. Contract 3 §3.

/** Places that may contain earlier values of a record. `remains`: bytes of deleted rows in the files of the database. */
export const ERASURE_STAGES = [
  'trail',
  'comments',
  'findings',
  'tasks',
  'answers',
  'imports',
  'exports',
  'remains',
] as const
export type ErasureStage = (typeof ERASURE_STAGES)[number]

export interface ErasedHistory {
  readonly id: string
  readonly recordId: string
  /** The sequence of the erasure's entry: older entries lose their changes. */
  readonly sequence: number
  /** ISO 8601. */
  readonly requestedAt: string
  /** In this order. */
  readonly left: readonly ErasureStage[]
}
