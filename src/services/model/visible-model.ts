// The model for those who work with records: as far as their role may see it. Contract 3 §11.
import type { Catalog } from '../../domain/model/catalogs.ts'
import type { Dimension } from '../../domain/model/dimensions.ts'
import { visibleSchema, type VisibleSchema } from '../../domain/model/visible-schema.ts'
import type { Workflow } from '../../domain/model/workflows.ts'
import type { Store } from '../../storage/port.ts'
import type { Caller } from '../accounts/caller.ts'

/** Each in the order of creation, and all of one moment. */
export interface VisibleModel {
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
