// How the file of one import is read: by a mapping of its own, by a profile, or plainly. Contract 3 §4.
import { PLAIN_CELLS } from '../core/csv/csv-header.ts'
import { invalid, shorten } from '../kernel/errors.ts'
import type { ImportPlan } from './rules/import-profile.ts'
import { settingOf } from './rules/import-setting.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { ImportQuestion } from './rules/import-outcome.ts'
import { headerOf } from './file-header.ts'
import { namedProfile } from './import-profiles.ts'

export type MappingChoice =
  ({ readonly profileId: string } & Pick<ImportQuestion, 'mode' | 'matchBy' | 'emptyCells'>) | ImportPlan

/** @throws VALIDATION_ERROR for an unknown profile */
export async function planOf(reads: Parameters<typeof namedProfile>[0], choice: MappingChoice): Promise<ImportPlan> {
  if (!('profileId' in choice)) return withoutName(choice)
  const { profileId, mode, matchBy, emptyCells } = choice
  const profile = withoutName(await namedProfile(reads, 'profileId', profileId))
  const said = Object.entries({ mode, matchBy, emptyCells }).filter(([, value]) => value !== undefined)
  return { ...profile, ...Object.fromEntries(said) }
}

function withoutName({ schemaId, mode, matchBy, emptyCells, columns }: ImportPlan): ImportPlan {
  return { schemaId, mode, matchBy, emptyCells, columns } as ImportPlan
}

/** @throws VALIDATION_ERROR */
export function assertFits(plan: ImportPlan, { format }: ImportUpload, names: readonly string[], model: Model): void {
  if (plan.columns !== null && format !== 'ndjson' && plan.columns.length === 0)
    throw invalid('columns must name a column')
  if (plan.schemaId !== null && !model.schemas.has(plan.schemaId))
    throw invalid(`schemaId names the unknown schema '${shorten(plan.schemaId, 128)}'`)
  const setting = settingOf({}, plan, model)
  if (format !== 'ndjson') headerOf({ names, style: PLAIN_CELLS }, setting, model)
}
