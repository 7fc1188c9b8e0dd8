// The progress of a maintenance task, for display.

export interface Progress {
  advance(by: number): void
  /** Says how far it came. */
  stop(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Undefined: unknown. */
  readonly total: number | undefined
  readonly unit: 'bytes' | 'records' | 'entries' | 'rows' | 'files'
}

export type ShowProgress = (options: ProgressOptions) => Progress
