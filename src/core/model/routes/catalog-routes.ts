// Endpoints of catalogs. Contract 2 §3.
import { documentRoutes } from '../../../http/document-routes.ts'
import { CatalogInput } from '../rules/catalog.ts'
import { CatalogShape } from './model-shapes.ts'

export const catalogsRoutes = documentRoutes({
  id: 'catalogs',
  path: '/api/v1/catalogs',
  shape: CatalogShape,
  input: CatalogInput,
  read: 'model.read',
  write: 'categories.write',
  list: { summary: 'List all catalogs, oldest first' },
  create: { summary: 'Create a catalog' },
  get: { summary: 'Read a catalog' },
  replace: { summary: 'Rename a catalog' },
  delete: { summary: 'Delete a catalog that has no categories', errors: ['CONFLICT'] },
  service: ({ catalogs }) => catalogs,
})
