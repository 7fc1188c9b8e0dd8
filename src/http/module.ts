// A part of the product, as the server mounts and documents it. `src/app/api.ts` lists all parts.
import type { Components } from './openapi/component.ts'
import type { Route } from './route.ts'

export interface Module {
  readonly routes: readonly Route[]
  /** The shapes of the routes, with examples: loaded when the OpenAPI document is first asked for. */
  readonly loadExamples: () => Promise<Components>
}
