// Endpoints of catalogs. Contract 2 §3.
import * as v from 'valibot'
import { CatalogInput } from '../rules/catalog.ts'
import { CatalogShape } from './model-shapes.ts'
import { route } from '../../../http/route.ts'

export const catalogsRoutes = [
  route({
    id: 'catalogs.list',
    method: 'GET',
    path: '/api/v1/catalogs',
    summary: 'List all catalogs, oldest first',
    access: 'model.read',
    responses: { 200: v.array(CatalogShape) },
    handler: ({ caller, services }) => services.catalogs.list(caller),
  }),
  route({
    id: 'catalogs.create',
    method: 'POST',
    path: '/api/v1/catalogs',
    summary: 'Create a catalog',
    access: 'categories.write',
    body: CatalogInput,
    responses: { 201: CatalogShape },
    errors: ['CONFLICT'],
    handler: ({ caller, body, services }) => services.catalogs.create(caller, body),
  }),
  route({
    id: 'catalogs.get',
    method: 'GET',
    path: '/api/v1/catalogs/:id',
    summary: 'Read a catalog',
    access: 'model.read',
    responses: { 200: CatalogShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, services }) => services.catalogs.get(caller, params.id),
  }),
  route({
    id: 'catalogs.replace',
    method: 'PUT',
    path: '/api/v1/catalogs/:id',
    summary: 'Rename a catalog',
    access: 'categories.write',
    body: CatalogInput,
    responses: { 200: CatalogShape },
    errors: ['NOT_FOUND'],
    handler: ({ caller, params, body, services }) => services.catalogs.replace(caller, params.id, body),
  }),
  route({
    id: 'catalogs.delete',
    method: 'DELETE',
    path: '/api/v1/catalogs/:id',
    summary: 'Delete a catalog that has no categories',
    access: 'categories.write',
    responses: { 204: null },
    errors: ['NOT_FOUND', 'CONFLICT'],
    handler: ({ caller, params, services }) => services.catalogs.delete(caller, params.id),
  }),
]
