// The rights that the owner of an export job needs. Contract 3 §12.
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import { assertPermission, type Role } from '../../core/accounts/rules/permissions.ts'
import { denied, shorten } from '../../kernel/errors.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { askedAliases } from '../../core/search/rules/asked-aliases.ts'
import { isVisibleTo, type SavedQuery } from '../../core/search/rules/saved-query.ts'
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { aliasesIn, type ExportColumn } from './export-columns.ts'
import { aliasesInFiles, linkedFiles } from './job-files.ts'
import { linkedSchemas } from './linked-columns.ts'
import type { ExportJob } from './export-job.ts'
import { isBySavedQuery } from './job-selection.ts'

type Exported = Pick<ExportJob, 'schemaId' | 'selection' | 'columns' | 'sort' | 'files'>

/**
 * @param query that the job selects by
 * @throws PERMISSION_DENIED naming the permission, attribute or saved query
 */
export function assertMayExport(
  { schemaId, selection, columns, sort, files }: Exported,
  query: SavedQuery | undefined,
  { id, role }: { readonly id: string; readonly role: Role },
  model: Model,
): void {
  assertPermission(role, 'exportJobs.write')
  assertPermission(role, 'records.read')
  if (query !== undefined && !isVisibleTo(query, id))
    throw denied(`The saved query '${shorten(query.id, 128)}' is private and belongs to another owner`)
  const search = selection !== null && isBySavedQuery(selection) ? query : selection
  const schemas = searchedSchemas(model, schemaId ?? undefined)
  const sorted = sort.flatMap((key) => ('attributeAlias' in key ? key.attributeAlias : []))
  assertMayReadColumns(role, schemas, columns ?? [], model)
  assertMayReadNamed(role, schemas, sorted)
  assertMayReadNamed(role, schemas, aliasesInFiles(files))
  for (const { schema, alias } of linkedFiles(files?.attributes ?? [], schemas, model))
    assertMayReadNamed(role, [schema], [alias])
  if (search === undefined || search === null) return
  const searched = searchedSchemas(model, search.schemaId ?? schemaId ?? undefined)
  assertMayReadNamed(role, searched, askedAliases(search.criteria))
}

function assertMayReadColumns(
  role: Role,
  schemas: readonly Schema[],
  columns: readonly ExportColumn[],
  model: Model,
): void {
  assertMayReadNamed(role, schemas, columns.flatMap(aliasesIn))
  for (const column of columns)
    if (column.via !== undefined) assertMayReadNamed(role, linkedSchemas(column, schemas, model), [column.via])
}
