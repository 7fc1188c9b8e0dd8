// The endpoint that finds the places of records in the order of a search. Contract 5 §5.
import * as v from 'valibot'
import { wholeNumber } from '../../../kernel/input/validation.ts'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { NoQuery, Offset } from '../../../kernel/input/common-shapes.ts'
import { route } from '../../../http/route.ts'
import { criteriaUpTo } from '../rules/criteria-input.ts'
import { questionOf, SELECTION_MEMBERS } from '../rules/selection.ts'
import { SearchBody } from '../rules/selection.ts'

const MAX_MARKS = 100
const MAX_PARTS = 600
const MAX_PLACES = 500

export const PlacesBody = exactObject({
  ...SELECTION_MEMBERS,
  sort: SearchBody.entries.sort,
  stateId: SearchBody.entries.stateId,
  marks: v.pipe(
    criteriaUpTo(MAX_MARKS),
    v.minLength(1, 'must not be empty'),
    v.description('Criteria that are looked for: a record has a place for each that it matches.'),
  ),
  parts: v.pipe(
    v.optional(criteriaUpTo(MAX_PARTS)),
    v.description('Criteria that cut the search into lists, one after another. A record may be in several lists.'),
  ),
  from: v.pipe(
    v.optional(exactObject({ part: Offset, row: Offset })),
    v.description('Places from this row of this list on, in place of `offset`. At the end they begin again.'),
  ),
  offset: v.optional(Offset),
  limit: v.optional(v.pipe(wholeNumber(1, MAX_PLACES), v.description('The most places. Default: 100.')), 100),
})

export const PlacesShape = v.object({
  total: v.pipe(v.number(), v.description('The number of all places.')),
  counts: v.pipe(v.array(v.number()), v.description('How many records of the search match each of `marks`.')),
  offset: v.pipe(v.number(), v.description('The number of places before the first one here.')),
  places: v.array(
    v.object({
      part: v.pipe(v.number(), v.description('The index of the list in `parts`; 0 without `parts`.')),
      row: v.pipe(v.number(), v.description('The number of records before this one in the list.')),
      mark: v.pipe(v.number(), v.description('The index of the criterion in `marks`.')),
    }),
  ),
})

export const placeRoutes = [
  route({
    id: 'search.places',
    endpoint: 'POST /api/v1/search/places',
    summary: 'Find where in the order of a search records stand that match further criteria',
    description:
      'A client that shows a search as a list of rows finds the rows of a text by this. Places come in the order of the rows. Criteria on attributes that the role may not read are refused.',
    access: 'records.read',
    query: NoQuery,
    body: PlacesBody,
    responses: { 200: PlacesShape },
    handler: ({ caller, body, services, request: { signal } }) => {
      const { marks, parts = [], from, offset = 0, limit, sort, stateId } = body
      const asked = { marks, parts, start: from ?? offset, limit, sort, view: { stateId } }
      const selection = { schemaId: body.schemaId ?? undefined, text: questionOf(body) }
      return services.search.places(caller, body, { ...asked, ...selection }, signal)
    },
  }),
]
