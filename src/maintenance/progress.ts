// How far a piece of maintenance has come, for whoever watches.

export interface Progress {
  advance(by: number): void
  /** Says how far it came. */
  stop(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Undefined: nobody knows. */
  readonly total: number | undefined
  readonly unit: 'bytes' | 'records' | 'entries'
}

export type ShowProgress = (options: ProgressOptions) => Progress
