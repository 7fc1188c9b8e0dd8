// The core: accounts, the model, records, search and the feed of changes.
import { authRoutes } from './accounts/routes/auth-routes.ts'
import { meRoutes } from './accounts/routes/me-routes.ts'
import { usersRoutes } from './accounts/routes/user-routes.ts'
import { apiKeysRoutes } from './accounts/routes/api-key-routes.ts'
import { rolesRoutes } from './accounts/routes/role-routes.ts'
import {
  catalogsRoutes,
  dimensionsRoutes,
  visibleModelRoutes,
  workflowsRoutes,
} from './model/routes/definition-routes.ts'
import { schemasRoutes } from './model/routes/schema-routes.ts'
import { categoriesRoutes } from './model/routes/category-routes.ts'
import { templateRoutes } from './model/routes/template-routes.ts'
import { recordsRoutes } from './records/routes/record-routes.ts'
import { recordBatchRoutes, recordCheckRoutes } from './records/routes/batch-routes.ts'
import { lifecycleRoutes } from './records/routes/lifecycle-routes.ts'
import { historyRoutes } from './records/routes/history-routes.ts'
import { auditRoutes } from './feed/routes/audit-routes.ts'
import { placeRoutes } from './search/routes/place-routes.ts'
import { searchRoutes } from './search/routes/search-routes.ts'
import { suggestRoutes } from './search/routes/suggest-routes.ts'
import { savedQueriesRoutes } from './search/routes/saved-query-routes.ts'
import type { Components } from '../http/openapi/component.ts'
import type { Module } from '../http/route.ts'

export const coreModule: Module = {
  routes: [
    ...authRoutes,
    ...meRoutes,
    ...visibleModelRoutes,
    ...usersRoutes,
    ...apiKeysRoutes,
    ...rolesRoutes,
    ...dimensionsRoutes,
    ...workflowsRoutes,
    ...schemasRoutes,
    ...recordsRoutes,
    ...recordBatchRoutes,
    ...recordCheckRoutes,
    ...lifecycleRoutes,
    ...auditRoutes,
    ...historyRoutes,
    ...catalogsRoutes,
    ...categoriesRoutes,
    ...templateRoutes,
    ...searchRoutes,
    ...placeRoutes,
    ...suggestRoutes,
    ...savedQueriesRoutes,
  ],
  async loadExamples() {
    const parts = await Promise.all([
      import('./records/routes/record-examples.ts').then(({ recordComponents }) => recordComponents),
      import('./search/routes/search-examples.ts').then(({ searchComponents }) => searchComponents),
      import('./records/routes/record-examples.ts').then(({ itemComponents }) => itemComponents),
      import('./search/routes/facet-examples.ts').then(({ facetComponents }) => facetComponents),
      import('./model/routes/model-examples.ts').then(({ modelComponents }) => modelComponents),
      import('./accounts/routes/account-examples.ts').then(({ accountComponents }) => accountComponents),
    ])
    return Object.assign({}, ...parts) as Components
  },
}
