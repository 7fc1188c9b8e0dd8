// Answers that are kept for requests that come again: part of `port.ts`. Contract 3 §2.

/** The answer to a request, kept so that the same request gets it again. */
export interface KeptAnswer {
  /** A digest of the caller, the endpoint and the key. */
  readonly id: string
  /** A digest of the request. */
  readonly request: string
  /** A digest of the permissions that the caller had then. */
  readonly view: string
  /** ISO 8601. */
  readonly keptAt: string
  /** Sealed by the service that stores it. */
  readonly content: Uint8Array
}

/** Where several servers have one workspace: which requests they have under way, by the IDs of their answers. */
export interface RequestClaims {
  /** Resolves to whether this server has the claim now, until it releases it or is gone. @throws UNAVAILABLE */
  take(id: string): Promise<boolean>
  /** Never rejects. */
  release(id: string): Promise<void>
}

export interface KeptAnswers {
  get(id: string): Promise<KeptAnswer | undefined>
  /** In the order in which they were kept, from behind one on; `limit` at most. */
  listAfter(last: Pick<KeptAnswer, 'keptAt' | 'id'> | undefined, limit: number): Promise<KeptAnswer[]>
  /** Bytes of all kept answers, in round figures. */
  size(): Promise<number>
  /** @throws CONFLICT for an ID that exists */
  insert(answer: KeptAnswer): Promise<void>
  delete(id: string): Promise<void>
  /** Deletes the oldest that were kept before `moment`, `limit` at most; resolves to how many. */
  deleteBefore(moment: string, limit: number): Promise<number>
}
