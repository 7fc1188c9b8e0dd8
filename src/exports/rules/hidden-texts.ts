// Texts of a job for single values: maps, templates and names of files. If a role may not read their attribute, these texts
// would reveal its values. So the role sees a placeholder. Contract 3 §9.6.
import { canRead, hidesAny, type Role } from '../../core/accounts/rules/permissions.ts'
import { HIDDEN_RULE, keepRule } from '../../core/model/rules/hidden-rule.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { aliasesIn, type ExportColumn, type SentColumn } from './export-columns.ts'
import type { ExportJob, ExportJobView } from './export-job.ts'
import { aliasesInFiles, type JobFiles } from './job-files.ts'
import { showSelection } from './job-selection.ts'
import { linkedSchemas } from './linked-columns.ts'

type Columns = readonly ExportColumn[] | null

/** The members of a job that have placeholders for a role. */
export function showContent(
  { selection, columns, files, schemaId }: ExportJob,
  model: Model,
  role: Role,
): Pick<ExportJobView, 'selection' | 'columns' | 'files'> {
  const shown = showSelection(selection, model, role)
  if (!hidesAny(role)) return { selection: shown, columns, files }
  const schemas = searchedSchemas(model, schemaId ?? undefined)
  const isHidden = hiddenIn(schemas, role)
  const isHiddenColumn = (column: ExportColumn): boolean =>
    aliasesIn(column).some(isHidden) ||
    (column.via !== undefined && hiddenIn(linkedSchemas(column, schemas, model), role)(column.via))
  return {
    selection: shown,
    columns: columns?.map((column) => (isHiddenColumn(column) ? withoutTexts(column) : column)) ?? null,
    files: files !== null && aliasesInFiles(files).some(isHidden) ? { ...files, name: HIDDEN_RULE } : files,
  }
}

function hiddenIn(schemas: readonly Schema[], role: Role): (alias: string) => boolean {
  return (alias) => schemas.some((schema) => schema.attribute(alias) !== undefined && !canRead(role, schema.id, alias))
}

function withoutTexts(column: ExportColumn): SentColumn {
  const { map, template } = column
  return {
    ...column,
    ...(map === undefined ? {} : { map: HIDDEN_RULE }),
    ...(template === undefined ? {} : { template: HIDDEN_RULE }),
  }
}

type StoredTexts = Pick<ExportJob, 'columns' | 'schemaId'>
type SentTexts = { readonly columns: readonly SentColumn[] | null } & Pick<ExportJob, 'schemaId'>

/**
 * The columns to store. A placeholder stands for the text of the stored column of that header, if its source is the same.
 * @throws VALIDATION_ERROR for a placeholder without a stored text
 */
export function keepColumns({ columns, schemaId }: SentTexts, before: StoredTexts | undefined): Columns {
  const stored = new Map((before?.columns ?? []).map((column) => [column.header, column]))
  const isSameSchema = before?.schemaId === schemaId
  return (
    columns?.map(({ map, ...column }, index) => {
      const was = stored.get(column.header)
      const at = `columns[${index}]`
      const isMasked = column.template === HIDDEN_RULE
      const whole = isMasked ? { ...column, template: keepRule(was?.template, `${at}.template`, isSameSchema) } : column
      if (map !== HIDDEN_RULE) return map === undefined ? whole : { ...whole, map }
      const kept = was && isSameSource(whole, was) ? was.map : undefined
      return { ...whole, map: keepRule(kept, `${at}.map`, isSameSchema) }
    }) ?? null
  )
}

function isSameSource(one: Omit<ExportColumn, 'map'>, other: ExportColumn): boolean {
  return one.attributeAlias === other.attributeAlias && one.via === other.via && one.template === other.template
}

/** The files to store, likewise. @throws VALIDATION_ERROR */
export function keepFiles(
  { files, schemaId }: Pick<ExportJob, 'files' | 'schemaId'>,
  before: Pick<ExportJob, 'files' | 'schemaId'> | undefined,
): JobFiles | null {
  if (files?.name !== HIDDEN_RULE) return files
  return { ...files, name: keepRule(before?.files?.name, 'files.name', before?.schemaId === schemaId) }
}
