// The pages of the documentation, and the OpenAPI document.
import type { Module } from '../http/route.ts'
import { component } from '../http/openapi/component.ts'
import { documentationRoutes, OpenApi } from './documentation-routes.ts'

const DOCUMENT = { openapi: '3.1.1', info: { title: 'pimlet', version: '1.0.0' }, paths: {} }

export const documentationModule: Module = {
  routes: documentationRoutes,
  loadExamples: async () => ({ OpenApi: component(OpenApi, DOCUMENT) }),
}
