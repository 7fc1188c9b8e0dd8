// Stored answers to requests that may be repeated: part of `port.ts`. Contract 3 §2.

/** The stored answer to a request: a repeated request gets the same answer. */
export interface KeptAnswer {
  /** A digest of the caller, the endpoint and the key. */
  readonly id: string
  /** A digest of the request. */
  readonly request: string
  /** A digest of the permissions that the caller had at that time. */
  readonly view: string
  /** ISO 8601. */
  readonly keptAt: string
  /** Encrypted by the service that stores the answer. */
  readonly content: Uint8Array
}

/** Requests that several servers of a workspace have under way, by the IDs of their answers. */
export interface RequestClaims {
  /** Resolves to whether this server has the claim, until it releases the claim or dies. @throws UNAVAILABLE */
  take(id: string): Promise<boolean>
  /** Never rejects. */
  release(id: string): Promise<void>
}

export interface KeptAnswers {
  get(id: string): Promise<KeptAnswer | undefined>
  /** Lists answers in the order of their storing, after `last`; `limit` at most. */
  listAfter(last: Pick<KeptAnswer, 'keptAt' | 'id'> | undefined, limit: number): Promise<KeptAnswer[]>
  /** Approximate bytes of all stored answers. */
  size(): Promise<number>
  /** @throws CONFLICT for an ID that exists */
  insert(answer: KeptAnswer): Promise<void>
  delete(id: string): Promise<void>
  /** Deletes the oldest answers stored before `moment`, `limit` at most; resolves to their number. */
  deleteBefore(moment: string, limit: number): Promise<number>
}
