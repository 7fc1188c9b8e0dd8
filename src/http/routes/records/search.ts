// Endpoints of search: by criteria, and by text. Contract 1 §4.2, 2 §5, 3 §1, 3 §11.
import * as v from 'valibot'
import { exactObject } from '../../../domain/input/exact-object.ts'
import { Flag } from '../../../domain/input/validation.ts'
import { ITEM_VIEW_MEMBERS, itemViewOf } from '../../../domain/search/item-view.ts'
import { CRITERIA_MEMBERS } from '../../../domain/search/saved-queries.ts'
import { SortsInput } from '../../../domain/search/sorting.ts'
import { MAX_WORDS, needlesOf, TEXT_MODES, type TextQuestion } from '../../../domain/search/text-question.ts'
import { FoundRecordShape } from '../../shapes/item-shapes.ts'
import { RecordShape } from '../../shapes/record-schemas.ts'
import { route } from '../../route.ts'
import { Limit, NoQuery, Offset } from '../../shapes/schemas.ts'
import { foundRecordsReply } from '../../answers/search-reply.ts'

/** Cursors hold a beginning of each value that is sorted by. */
export const Cursor = v.pipe(
  v.string('must be a string'),
  v.maxLength(8192, 'must be at most 8192 characters long'),
  v.description('The X-Next-Cursor of a page of the same search: the page after it, in place of `offset`.'),
)

const excerpt = { limit: v.optional(Limit), offset: v.optional(Offset) }
const schemaId = v.optional(v.nullable(v.string('must be a string')))

const TEXT_MEMBERS = {
  text: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.maxLength(65_536, 'must be at most 65536 characters long'),
      v.check((text) => needlesOf({ text, mode: 'words' }).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`),
      v.description('Looked for besides the criteria: both must hold. An empty one is none.'),
    ),
  ),
  textMode: v.optional(
    v.pipe(
      v.picklist(TEXT_MODES, "must be 'phrase' or 'words'"),
      v.description(
        'phrase: one text has it as it is; words: each word, or what stands in quotes, is in some text, or the ID begins with it.',
      ),
    ),
    'phrase',
  ),
}

export const SearchBody = exactObject({
  ...CRITERIA_MEMBERS,
  ...TEXT_MEMBERS,
  schemaId,
  sort: v.optional(
    v.pipe(
      SortsInput,
      v.description(
        'By which values or fields, one after another. Records without a value are last; ties: oldest first.',
      ),
    ),
  ),
  ...excerpt,
  after: v.optional(Cursor),
  ...ITEM_VIEW_MEMBERS,
  total: v.optional(v.pipe(Flag, v.description('false: the matches are not counted, and there is no X-Total-Count.'))),
})

const SearchText = v.pipe(
  v.string('must be a string'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(65_536, 'must be at most 65536 characters long'),
  v.description('What to look for.'),
  v.examples(['shirt']),
)

export const FullTextBody = exactObject({ query: SearchText, schemaId, ...excerpt })

/** Undefined where no text is looked for. */
export function questionOf({ text = '', textMode }: v.InferOutput<typeof SearchBody>): TextQuestion | undefined {
  return text === '' ? undefined : { text, mode: textMode }
}

export const searchRoutes = [
  route({
    id: 'search.criteria',
    method: 'POST',
    path: '/api/v1/search',
    summary: 'Find records by criteria, oldest first; all of them, or with limit a page and X-Total-Count',
    description:
      'Without a scope, a criterion holds where a value of any scope fits it; with one, the effective values there are judged. A criterion on an attribute that the role may not read is refused. All matches are streamed; one that fails midway ends the connection. `include` gives each item further members, `resolve` the values of one scope, `select` fewer values; an attribute that the role may not read is refused there, too.',
    access: 'records.read',
    query: NoQuery,
    body: SearchBody,
    responses: { 200: v.array(FoundRecordShape) },
    headers: ['X-Total-Count', 'X-Next-Cursor'],
    handler: async ({ caller, body, services, request: { signal } }) =>
      foundRecordsReply(
        await services.search.byCriteria(
          caller,
          body,
          { ...body, schemaId: body.schemaId ?? undefined, view: itemViewOf(body), text: questionOf(body) },
          signal,
        ),
      ),
  }),
  route({
    id: 'search.fullText',
    method: 'POST',
    path: '/api/v1/search/full-text',
    summary: 'Find records with a text value that contains the query, not regarding case',
    description: 'Looks into the text, richText and url values that the role may read.',
    access: 'records.read',
    query: NoQuery,
    body: FullTextBody,
    responses: { 200: v.array(RecordShape) },
    headers: ['X-Total-Count'],
    handler: async ({ caller, body, services, request: { signal } }) =>
      foundRecordsReply(
        await services.search.byText(caller, body.query, { ...body, schemaId: body.schemaId ?? undefined }, signal),
      ),
  }),
  route({
    id: 'search.text',
    method: 'GET',
    path: '/api/v1/search/text',
    summary: 'The same as the full-text search, by query parameters',
    access: 'records.read',
    query: exactObject({ query: SearchText, schemaId: v.optional(v.string()), ...excerpt }),
    responses: { 200: v.array(RecordShape) },
    headers: ['X-Total-Count'],
    handler: async ({ caller, query, services, request: { signal } }) =>
      foundRecordsReply(await services.search.byText(caller, query.query, query, signal)),
  }),
]
