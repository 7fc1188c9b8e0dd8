// Endpoints of search: by criteria, and by text. Contract 1 §4.2, 2 §5, 3 §1, 3 §11.
import { VALUE_PARTS } from '../../datatypes/data-type.ts'
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { wholeNumber } from '../../../kernel/input/validation.ts'
import { itemViewOf } from '../rules/item-view.ts'
import { excerpt, questionOf, SearchBody, SELECTION_MEMBERS } from '../rules/selection.ts'
import { FoundRecordShape } from '../../records/routes/item-shapes.ts'
import { FACET_FIELDS, FacetsInput, MAX_FACET_VALUES } from '../rules/facets.ts'
import { RecordShape } from '../../records/rules/record.ts'
import { ScopeShape } from '../../scopes/scope.ts'
import { route } from '../../../http/route.ts'
import { NoQuery } from '../../../kernel/input/common-shapes.ts'
import { foundRecordsReply } from '../../../http/answers/record-replies.ts'

const { schemaId } = SELECTION_MEMBERS

export const FacetsBody = exactObject({
  ...SearchBody.entries,
  facets: FacetsInput,
  limit: v.optional(
    v.pipe(wholeNumber(1, MAX_FACET_VALUES), v.description('Values of each facet, most frequent first. Default: 20.')),
  ),
})

const Extreme = v.optional(v.nullable(v.union([v.number(), v.string()])))
const MeanCompleteness = v.pipe(
  v.optional(v.nullable(v.number())),
  v.description(
    'The mean percentage of these records, with one decimal, if the facet asks for `completeness`. null: none of them has a score.',
  ),
)
export const FacetShape = v.object({
  attributeAlias: v.optional(v.string()),
  part: v.optional(v.picklist(VALUE_PARTS)),
  field: v.optional(v.picklist(FACET_FIELDS)),
  scope: v.optional(ScopeShape),
  stateId: v.optional(v.string()),
  completeness: v.optional(v.object({ scope: v.optional(ScopeShape), stateId: v.optional(v.string()) })),
  values: v.optional(v.array(v.object({ value: v.string(), count: v.number(), completeness: MeanCompleteness }))),
  min: v.pipe(Extreme, v.description('For numbers and dates, instead of `values`. null if no record has a value.')),
  max: Extreme,
  missing: v.pipe(v.number(), v.description('Records without a value.')),
  missingCompleteness: MeanCompleteness,
})
export const FacetsShape = v.object({ total: v.number(), facets: v.array(FacetShape) })

const SearchText = v.pipe(
  v.string('must be a string'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(65_536, 'must be at most 65536 characters long'),
  v.description('What to look for.'),
  v.examples(['shirt']),
)

export const FullTextBody = exactObject({ query: SearchText, schemaId, ...excerpt })

export const searchRoutes = [
  route({
    id: 'search.criteria',
    endpoint: 'POST /api/v1/search',
    summary: 'Find records by criteria, oldest first: all of them, or a page with `limit` and X-Total-Count',
    description:
      'Without a scope, a criterion matches if a value in any scope matches. With a scope, the effective values in that scope are judged. A criterion on an attribute that the role may not read is refused. All matches are streamed; if the server fails midway, it closes the connection. `include` adds members to each item, `resolve` adds the values of one scope, and `select` limits the values. They refuse attributes that the role may not read.',
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
    id: 'search.facets',
    endpoint: 'POST /api/v1/search/facets',
    summary: 'Count how all records of a search are spread over the values of attributes and fields',
    description:
      'The body is the body of a search; order, paging and the members of items have no effect. A record counts once for each of its values. Numbers and dates give their extremes. Categories include those that a variant inherits from its parent, but not parent categories. For each value, `completeness` of a facet adds the mean completeness of its records. The mean is of one scope and one state. Text attributes, and attributes that the role may not read, are refused.',
    access: 'records.read',
    query: NoQuery,
    body: FacetsBody,
    responses: { 200: FacetsShape },
    handler: ({ caller, body, services, request: { signal } }) => {
      const { facets, limit = 20 } = body
      const schemaId = body.schemaId ?? undefined
      const asked = { schemaId, text: questionOf(body), view: itemViewOf({ stateId: body.stateId }), facets, limit }
      return services.search.facets(caller, body, asked, signal)
    },
  }),
  route({
    id: 'search.fullText',
    endpoint: 'POST /api/v1/search/full-text',
    summary: 'Find records with a text value that contains the query, ignoring case',
    description: 'Searches the text, richText and url values that the role may read.',
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
    endpoint: 'GET /api/v1/search/text',
    summary: 'The full-text search, by query parameters',
    access: 'records.read',
    query: exactObject({ query: SearchText, schemaId: v.optional(v.string()), ...excerpt }),
    responses: { 200: v.array(RecordShape) },
    headers: ['X-Total-Count'],
    handler: async ({ caller, query, services, request: { signal } }) =>
      foundRecordsReply(await services.search.byText(caller, query.query, query, signal)),
  }),
]
