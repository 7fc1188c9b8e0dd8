// Names and examples of the shapes of searches and saved queries.
import { SavedQueryInput, SavedQueryReplacement, View } from '../rules/saved-query.ts'
import { ExecuteBody, SavedQueryShape } from './saved-query-routes.ts'
import { FullTextBody, SearchBody } from './search-routes.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'

const view = {
  columns: [{ field: 'id' }, { attributeAlias: 'name', scope: { language: 'en' } }],
  density: 'compact',
}
const criteria = [
  { attributeAlias: 'name', operator: 'contains' as const, value: 'shirt', scope: { language: 'en' } },
  { attributeAlias: 'price', operator: 'lt' as const, value: '50' },
]
const query = { name: 'Cheap shirts', schemaId: 'sch-shirt', criteria, criteriaOperator: 'and' as const }

export const searchComponents: Components = {
  Search: component(SearchBody, {
    criteria,
    criteriaOperator: 'and',
    schemaId: 'sch-shirt',
    limit: 50,
    select: ['name'],
    include: ['completeness', 'variantCount'],
    resolve: { language: 'de' },
  }),
  FullTextSearch: component(FullTextBody, { query: 'baumwoll' }),
  SavedQuery: component(SavedQueryShape, {
    id: EXAMPLE_IDS.savedQuery,
    ...query,
    createdBy: EXAMPLE_IDS.user,
    view,
    visibility: 'shared',
  }),
  SavedQueryInput: component(SavedQueryInput, { ...query, view, visibility: 'private' }),
  SavedQueryReplacement: component(SavedQueryReplacement, { ...query, view, visibility: 'private' }),
  SavedQueryExcerpt: component(ExecuteBody, { limit: 50, offset: 100 }),
  SavedQueryView: component(View, view),
}
