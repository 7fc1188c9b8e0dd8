// The model for people and programs that work with records: the parts that their role may see. Contract 3 §11.
import type { Catalog } from './rules/catalog.ts'
import type { Dimension } from './rules/dimension.ts'
import { visibleSchema } from './rules/hidden-rules.ts'
import { shownTexts } from './schemas.ts'
import type { Workflow } from './rules/workflow.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../accounts/caller.ts'

/** The lists are in the order of creation, and from one snapshot. */
interface VisibleModel {
  readonly dimensions: readonly Dimension[]
  /** The JSON of each schema, which is made on demand: hundreds of schemas have megabytes. */
  readonly schemas: Iterable<string>
  readonly workflows: readonly Workflow[]
  readonly catalogs: readonly Catalog[]
}

export function createVisibleModelService({ store }: { store: Store }) {
  return {
    describeModel: ({ role }: Caller): Promise<VisibleModel> =>
      store.snapshot(async (reads) => ({
        dimensions: await reads.dimensions.list(),
        schemas: shownTexts(await reads.schemas.texts(), role, visibleSchema),
        workflows: await reads.workflows.list(),
        catalogs: await reads.catalogs.list(),
      })),
  }
}
