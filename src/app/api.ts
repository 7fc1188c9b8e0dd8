// All modules, and the table of all routes that are served, documented and tested.
import { bulkModule } from '../bulk/module.ts'
import { collaborationModule } from '../collaboration/module.ts'
import { consoleModule } from '../console-host/module.ts'
import { coreModule } from '../core/module.ts'
import { documentationModule } from '../docs-host/module.ts'
import { eventsModule } from '../events/module.ts'
import { exportsModule } from '../exports/module.ts'
import type { Module, Route } from '../http/route.ts'
import type { Components } from '../http/openapi/component.ts'
import { filesModule } from '../files/module.ts'
import { importsModule } from '../imports/module.ts'
import { productSheetsModule } from '../product-sheets/module.ts'
import { statisticsModule } from '../statistics/module.ts'
import { workspaceModule } from '../workspace/module.ts'

const modules: readonly Module[] = [
  workspaceModule,
  documentationModule,
  consoleModule,
  coreModule,
  collaborationModule,
  filesModule,
  bulkModule,
  importsModule,
  productSheetsModule,
  exportsModule,
  eventsModule,
  statisticsModule,
]

export const apiRoutes: readonly Route[] = modules.flatMap(({ routes }) => routes)

/** Names and examples of the shapes of all routes. */
export async function loadExamples(): Promise<Components> {
  const examples = await Promise.all(modules.map((module) => module.loadExamples()))
  return Object.assign({}, ...examples) as Components
}
