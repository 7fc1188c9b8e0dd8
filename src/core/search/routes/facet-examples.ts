// Names and examples of the shapes of facets, places and suggestions.
import { PlacesBody, PlacesShape } from './place-routes.ts'
import { FacetsBody, FacetShape, FacetsShape } from './search-routes.ts'
import { SuggestionShape } from './suggest-routes.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'

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
