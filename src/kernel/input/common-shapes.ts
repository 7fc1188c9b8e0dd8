// Shapes that many routes share.
import * as v from 'valibot'
import { wholeNumber } from './validation.ts'
import { exactObject } from './exact-object.ts'

const MAX_LIMIT = 1000

/** `limit`: whole number 1…1000. Contract 2 §1. */
export const Limit = v.pipe(wholeNumber(1, MAX_LIMIT), v.description('The maximum number of items.'))
/** `offset`: whole number 0…2^53−1. Contract 3 §9.10. */
export const Offset = v.pipe(wholeNumber(0), v.description('The number of items to skip.'))

/** Seconds that a request may wait for something to happen. */
const MAX_WAIT = 25

export const Wait = v.pipe(
  v.number('must be a number of seconds'),
  v.minValue(0, 'must be 0 or more'),
  v.maxValue(MAX_WAIT, `must be at most ${MAX_WAIT}`),
  v.description('Seconds to wait for a change.'),
)

/** The version of a record. */
export const Version = wholeNumber(1)

/** A list or search without parameters refuses every parameter, like all lists and searches. */
export const NoQuery = exactObject({})
export const LimitQuery = exactObject({ limit: v.optional(Limit, 50) })
export const PageQuery = exactObject({ limit: v.optional(Limit, 50), offset: v.optional(Offset, 0) })

/** The owner of work that runs later. Contract 3 §12. */
export const OwnerId = v.pipe(v.string(), v.description('The user or API key whose rights apply.'))

/** Cursors hold a beginning of each value that is sorted by. */
export const Cursor = v.pipe(
  v.string('must be a string'),
  v.maxLength(8192, 'must be at most 8192 characters long'),
  v.description('The X-Next-Cursor of a page of the same search or list; replaces `offset`.'),
)

export const MAX_PAGE = 100
/** Comments are long: pages are shorter than elsewhere. */
const ShortLimit = v.pipe(wholeNumber(1, MAX_PAGE), v.description('The maximum number of items.'))

export const Page = { limit: v.optional(ShortLimit, 50), after: v.optional(Cursor) }
