// The model for people and programs that work with records, as far as their role may see it. Contract 3 §11.
import type { Catalog } from './rules/catalog.ts'
import type { Dimension } from './rules/dimension.ts'
import { visibleSchema, type VisibleSchema } from './rules/hidden-rules.ts'
import type { Workflow } from './rules/workflow.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'

/** Each in the order of creation, and all of one moment. */
interface VisibleModel {
  readonly dimensions: readonly Dimension[]
  readonly schemas: readonly VisibleSchema[]
  readonly workflows: readonly Workflow[]
  readonly catalogs: readonly Catalog[]
}

export function createVisibleModelService({ store }: { store: Store }) {
  return {
    describeModel: ({ role }: Caller): Promise<VisibleModel> =>
      store.snapshot(async (reads) => ({
        dimensions: await reads.dimensions.list(),
        schemas: (await reads.schemas.list()).map((schema) => visibleSchema(schema, role)),
        workflows: await reads.workflows.list(),
        catalogs: await reads.catalogs.list(),
      })),
  }
}

export type VisibleModelService = ReturnType<typeof createVisibleModelService>
