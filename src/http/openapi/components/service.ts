// Names and examples of the shapes that tell of the server itself.
import { Healthy, Unhealthy } from '../../routes/server/health.ts'
import { Hint } from '../../routes/server/start.ts'
import { OpenApi } from '../../routes/server/documentation.ts'
import { component, type Components } from '../component.ts'

export const serviceComponents: Components = {
  Hint: component(Hint, {
    name: 'pimlet',
    version: '1.0.0',
    console: '/console/',
    docs: '/docs',
    openapi: '/api/v1/openapi.json',
    health: '/healthz',
  }),
  Healthy: component(Healthy, { status: 'ok', version: '1.0.0', uptimeSeconds: 86_400 }),
  Unhealthy: component(Unhealthy, { status: 'unavailable', version: '1.0.0', uptimeSeconds: 86_400 }),
  OpenApi: component(OpenApi, { openapi: '3.1.1', info: { title: 'pimlet', version: '1.0.0' }, paths: {} }),
}
