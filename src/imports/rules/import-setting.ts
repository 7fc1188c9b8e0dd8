// Settings of an import: those of the client first, then those of its profile. Contract 2 §7, 3 §4.
import { assertCanRead, canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { Duplicates, EmptyCells, ImportMode, ImportQuestion } from './import-outcome.ts'
import { assertMapping, assertMatchBy, type ImportMapping, type ImportPlan } from './import-profile.ts'
import { type Brought, withParts } from './planned-model.ts'

export interface ImportSetting extends Brought {
  readonly mode: ImportMode
  /** Schema of lines that name none. */
  readonly schemaId: string | undefined
  /** A unique attribute that finds records, in place of their ID. */
  readonly matchBy: string | undefined
  readonly emptyCells: EmptyCells
  readonly duplicates: Duplicates
  readonly mapping: ImportMapping | undefined
}

type Asked = Pick<ImportQuestion, 'mode' | 'schemaId' | 'matchBy' | 'emptyCells' | 'duplicates'>

/** @throws VALIDATION_ERROR for a mapping that does not (or no longer) fit the model */
export function settingOf(asked: Asked, plan: ImportPlan | undefined, base: Model): ImportSetting {
  const newModel = plan?.model
  const model = withParts(base, newModel)
  if (plan?.columns === null)
    return { ...settingOf({ duplicates: asked.duplicates, ...plainly(plan) }, undefined, model), newModel }
  const mapping: ImportMapping | undefined = plan
  if (mapping !== undefined) assertMapping(mapping, model)
  const { mode, schemaId, matchBy, emptyCells }: Partial<ImportMapping> = mapping ?? {}
  const setting: ImportSetting = {
    mode: asked.mode ?? mode ?? 'create',
    schemaId: schemaId ?? asked.schemaId,
    matchBy: asked.matchBy ?? matchBy ?? undefined,
    // In the columns of an export, an empty cell is no value.
    duplicates: asked.duplicates ?? 'fail',
    emptyCells: asked.emptyCells ?? emptyCells ?? 'clear',
    mapping,
    newModel,
  }
  assertFitsSchema(setting, model)
  return setting
}

/** @throws VALIDATION_ERROR where the schema cannot find records by `matchBy` */
function assertFitsSchema({ schemaId, matchBy }: ImportSetting, model: Model): void {
  const schema = schemaId === undefined ? undefined : model.schemas.get(schemaId)
  if (schema !== undefined && matchBy !== undefined) assertMatchBy(schema, matchBy)
}

/**
 * Guards values hidden from the role, because finding a record reveals its value. Where lines name their schemas, one
 * schema with a readable attribute is enough here; each line is checked again.
 * @throws PERMISSION_DENIED
 */
export function assertMayMatch(
  role: Role,
  {
    schemaId,
    matchBy,
  }: { readonly schemaId?: string | null | undefined; readonly matchBy?: string | null | undefined },
  { schemas }: Model,
): void {
  if (matchBy === undefined || matchBy === null) return
  const named = typeof schemaId === 'string' ? [schemas.get(schemaId)] : [...schemas.values()]
  const asked = named.filter((schema) => schema?.attribute(matchBy) !== undefined).map((schema) => schema!.id)
  if (asked.length > 0 && !asked.some((id) => canRead(role, id, matchBy))) assertCanRead(role, asked[0]!, matchBy)
}

function plainly({ schemaId, mode, matchBy, emptyCells }: Extract<ImportPlan, { columns: null }>): Asked {
  return { schemaId: schemaId ?? undefined, mode, matchBy: matchBy ?? undefined, emptyCells }
}
