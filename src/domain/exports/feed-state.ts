// What is remembered of the files that a job has delivered, from one run to the next. Contract 3 §5, 3 §10.

export interface FeedState {
  /** Records of the last full file that was delivered; null: none was. */
  readonly fullCount: number | null
}

export const NO_FEED: FeedState = { fullCount: null }
