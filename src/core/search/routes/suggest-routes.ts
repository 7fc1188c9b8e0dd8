// Endpoint that suggests records while a user types. Contract 3 §1.
import { RecordImageShape } from '../../records/rules/record-image.ts'
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { MAX_WORDS, needlesOf } from '../rules/text-question.ts'
import { route } from '../../../http/route.ts'
import { ScopeShape } from '../../scopes/scope.ts'
import { Limit } from '../../../kernel/input/common-shapes.ts'

const SuggestQuery = exactObject({
  query: v.pipe(
    v.string('must be a string'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(1000, 'must be at most 1000 characters long'),
    v.check((text) => needlesOf({ text, mode: 'words' }).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`),
    v.description('Words, or a phrase in quotes. Each must be in a text of the record, or start its ID.'),
    v.examples(['shirt']),
  ),
  schemaId: v.optional(v.string()),
  limit: v.optional(Limit, 8),
  include: v.optional(
    v.pipe(v.picklist(['image'], "must be 'image'"), v.description('Adds the first picture of each record.')),
  ),
})

export const SuggestionShape = v.object({
  id: v.string(),
  schemaId: v.string(),
  label: v.pipe(v.string(), v.description('The value of the label attribute, or the first text, or the ID.')),
  image: v.optional(v.nullable(RecordImageShape)),
  match: v.pipe(
    v.nullable(v.object({ attributeAlias: v.string(), scope: ScopeShape, excerpt: v.string() })),
    v.description('Where the text was found. null: in the ID.'),
  ),
})

export const suggestRoutes = [
  route({
    id: 'records.suggest',
    endpoint: 'GET /api/v1/records/suggest',
    summary: 'Suggest records for typed text, oldest first',
    description: 'Searches the texts that the role may read, and the beginnings of IDs, ignoring case.',
    access: 'records.read',
    query: SuggestQuery,
    responses: { 200: v.array(SuggestionShape) },
    handler: ({ caller, query: { query, schemaId, limit, include }, services, request: { signal } }) => {
      const view = include === undefined ? {} : { include: [include] }
      return services.search.suggest(caller, query, { schemaId, limit, view }, signal)
    },
  }),
]
