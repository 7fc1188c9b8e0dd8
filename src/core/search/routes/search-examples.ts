// Names and examples of the shapes of searches and saved queries.
import { SavedQueryInput, SavedQueryReplacement, View } from '../rules/saved-query.ts'
import { ExecuteBody, SavedQueryShape } from './saved-query-routes.ts'
import { FacetsBody, FacetShape, FacetsShape, FullTextBody } from './search-routes.ts'
import { SearchBody } from '../rules/selection.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'
import { PlacesBody, PlacesShape } from './place-routes.ts'
import { SuggestionShape } from './suggest-routes.ts'

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

const facet = {
  field: 'lifecycleStateId' as const,
  values: [
    { value: 'state-draft', count: 8 },
    { value: 'state-review', count: 4 },
  ],
  missing: 0,
}

export const facetComponents: Components = {
  FacetSearch: component(FacetsBody, {
    criteria: [{ field: 'parentId', operator: 'isEmpty' }],
    criteriaOperator: 'and',
    schemaId: 'sch-shirt',
    facets: [{ field: 'lifecycleStateId' }, { attributeAlias: 'size', completeness: { scope: { language: 'de' } } }],
  }),
  Facet: component(FacetShape, facet),
  Facets: component(FacetsShape, { total: 12, facets: [facet] }),
  PlaceSearch: component(PlacesBody, {
    criteria: [{ field: 'parentId', operator: 'isEmpty' }],
    criteriaOperator: 'and',
    schemaId: 'sch-shirt',
    marks: [{ attributeAlias: 'name', operator: 'contains', value: 'linen' }],
    from: { part: 0, row: 5 },
    limit: 1,
  }),
  Places: component(PlacesShape, { total: 3, counts: [3], offset: 1, places: [{ part: 0, row: 7, mark: 0 }] }),
  Suggestion: component(SuggestionShape, {
    id: EXAMPLE_IDS.record,
    schemaId: 'sch-shirt',
    label: 'Baumwollhemd',
    match: { attributeAlias: 'name', scope: { language: 'de' }, excerpt: 'Baumwollhemd' },
  }),
}
