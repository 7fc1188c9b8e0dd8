// Endpoints of saved queries. Contract 1 §2.8, 1 §4.3.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { SavedQueryInput, SavedQueryReplacement, View, VISIBILITIES } from '../rules/saved-query.ts'
import { CRITERIA_OPERATORS, Criterion } from '../rules/criterion.ts'
import { ITEM_VIEW_MEMBERS } from '../rules/item-view.ts'
import { SELECTION_MEMBERS } from '../rules/selection.ts'
import { SortsInput } from '../rules/sorting.ts'
import { HiddenRule } from '../../model/rules/hidden-rule.ts'
import { FoundRecordShape } from '../../records/routes/item-shapes.ts'
import { documentRoutes } from '../../../http/document-routes.ts'
import { route } from '../../../http/route.ts'
import { Cursor, Limit, Offset } from '../../../kernel/input/common-shapes.ts'
import { foundRecordsReply } from '../../../http/answers/record-replies.ts'

export const SavedQueryShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.pipe(v.nullable(v.string()), v.description('null: records of every schema.')),
  criteria: v.array(v.union([Criterion, HiddenRule])),
  criteriaOperator: v.picklist(CRITERIA_OPERATORS),
  text: SELECTION_MEMBERS.text,
  textMode: SELECTION_MEMBERS.textMode,
  sort: v.optional(SortsInput),
  ...ITEM_VIEW_MEMBERS,
  createdBy: v.string(),
  view: v.optional(v.pipe(View, v.description('How clients display the results.'))),
  visibility: v.pipe(v.picklist(VISIBILITIES), v.description('private: visible to its owner only.')),
})

const excerpt = { limit: v.optional(Limit), offset: v.optional(Offset), after: v.optional(Cursor) }
/** Other members are ignored, because the endpoint had no body in earlier versions. */
export const ExecuteBody = v.object(excerpt)

export const savedQueriesRoutes = [
  ...documentRoutes({
    id: 'savedQueries',
    path: '/api/v1/saved-queries',
    shape: SavedQueryShape,
    input: SavedQueryInput,
    replacement: SavedQueryReplacement,
    read: 'records.read',
    write: 'savedQueries.write',
    list: { summary: 'List saved queries, oldest first' },
    create: { summary: 'Save a query; its criteria are checked against the model' },
    get: { summary: 'Read a saved query' },
    replace: {
      summary: 'Replace a saved query; its criteria are checked against the model',
      description:
        'The owner does not change; only the owner can make the query private. To keep a hidden criterion, send its placeholder back.',
    },
    delete: { summary: 'Delete a saved query', errors: ['CONFLICT'] },
    service: ({ savedQueries }) => savedQueries,
  }),
  route({
    id: 'savedQueries.execute',
    endpoint: 'POST /api/v1/saved-queries/:id/execute',
    summary: 'Find the records of a saved query; 400 if the query no longer fits the model',
    access: 'records.read',
    description: 'The page is given in the body or in the query string. The body takes precedence.',
    query: exactObject(excerpt),
    body: v.optional(ExecuteBody, {}),
    responses: { 200: v.array(FoundRecordShape) },
    headers: ['X-Total-Count', 'X-Next-Cursor'],
    handler: async ({ caller, params, query, body, services, request: { signal } }) =>
      foundRecordsReply(await services.savedQueries.execute(caller, params.id, { ...query, ...body }, signal)),
  }),
]
