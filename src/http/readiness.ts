// Whether the server takes requests. Contract 2 §8.

export interface Readiness {
  /** Neither starting nor stopping. */
  readonly isServing: boolean
}
