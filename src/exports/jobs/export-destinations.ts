// The use case of asking where exports can go. Contract 3 §5.
import type { Caller } from '../../core/accounts/caller.ts'
import type { InstalledDestination } from '../destinations/destinations.ts'
import type { ExportEngine } from './export-engine.ts'

interface ExportDestination extends Omit<InstalledDestination, 'keys'> {
  /** JSON Schema of the settings. */
  readonly configSchema: Readonly<Record<string, unknown>>
  readonly source: 'built-in' | 'plugin'
}

export function createExportDestinationService(deps: {
  engine: Pick<ExportEngine, 'destinations'>
  /** JSON Schema of the settings of each built-in destination, by type. */
  documentation: { settings(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> }
}) {
  const { engine, documentation } = deps
  return {
    async list(_caller: Caller): Promise<ExportDestination[]> {
      const known = await documentation.settings()
      return engine.destinations.list().map(({ type, title, secrets, keys }) => {
        const isBuiltIn = Object.hasOwn(known, type)
        const configSchema = isBuiltIn ? known[type]! : describePlugin(title, keys)
        return { type, title, configSchema, secrets, source: isBuiltIn ? 'built-in' : 'plugin' }
      })
    },
  }
}

/** The schema of a plugin checks settings and does not describe them: at most its keys are known. */
function describePlugin(title: string, keys: readonly string[] | undefined): Readonly<Record<string, unknown>> {
  if (keys === undefined) return { type: 'object', title, additionalProperties: true }
  return {
    type: 'object',
    title,
    properties: Object.fromEntries(keys.map((key) => [key, {}])),
    additionalProperties: false,
  }
}
