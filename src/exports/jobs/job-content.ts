// Checks that a job's content fits the workspace, and the role of its owner. Contract 3 §5, 3 §9.6.
import { invalid, shorten } from '../../kernel/errors.ts'
import { assertColumns, catalogsIn, catalogsOf, type ExportColumn } from '../rules/export-columns.ts'
import { placeOfCatalog } from '../rules/template/template-uses.ts'
import { TemplateFault } from '../rules/template/template-fault.ts'
import { assertFiles, catalogsInFiles } from '../rules/job-files.ts'
import { assertXml } from '../rules/xml-document.ts'
import { findPresets } from '../rendering/file-addresses.ts'
import { isTable } from '../rules/export-format.ts'
import { assertFitsModel, type ExportJob, type ExportJobInput } from '../rules/export-job.ts'
import { isBySavedQuery, type JobSelection, writtenSearch } from '../rules/job-selection.ts'
import { assertMayFind, searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { isVisibleTo } from '../../core/search/rules/saved-query.ts'
import { questionOf, type Selection } from '../../core/search/rules/selection.ts'
import { assertSort } from '../../core/search/rules/sorting.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { Reads } from '../../store/port.ts'
import type * as v from 'valibot'
import type { Caller } from '../../core/accounts/caller.ts'

type Content = Pick<
  ExportJob,
  | 'schemaId'
  | 'catalogId'
  | 'dimensionScope'
  | 'includeLifecycleStateIds'
  | 'selection'
  | 'sort'
  | 'columns'
  | 'format'
  | 'delta'
  | 'xml'
  | 'files'
  | 'compress'
>

/**
 * @param sent the selection as the caller sent it
 * @param before the selection of the stored job
 * @throws VALIDATION_ERROR naming the fault
 * @throws PERMISSION_DENIED for data that is hidden from the caller
 */
export async function assertContent(
  content: Content,
  sent: v.InferOutput<typeof ExportJobInput>['selection'],
  caller: Caller,
  reads: Pick<Reads, 'model' | 'catalogs' | 'savedQueries' | 'renditionPresets'>,
  before: JobSelection | null = null,
): Promise<void> {
  const model = await reads.model()
  assertFitsModel(content, model)
  if (!model.roles.has(caller.role.id)) throw invalid('Your role has been deleted')
  const { catalogId, schemaId, columns, sort, files } = content
  if (catalogId !== null && (await reads.catalogs.get(catalogId)) === undefined)
    throw invalid(`catalogId names the unknown catalog '${shorten(catalogId, 128)}'`)
  const schemas = searchedSchemas(model, schemaId ?? undefined)
  assertSort(sort, schemas, model, caller.role)
  if (columns !== null) {
    assertColumns(columns, schemas, model, caller.role)
    await assertCatalogs(reads, columns)
    await findPresets(columns, reads)
  }
  if (files !== null) await assertJobFiles(content, { schemas, model, role: caller.role }, reads)
  assertDelta(content)
  assertXml(content)
  const search = await searchOf(content, sent, before, caller, reads)
  if (search !== undefined) assertSearch(search, content, model, caller)
}

/** @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED */
async function assertJobFiles(
  content: Content,
  checked: Parameters<typeof assertFiles>[1],
  reads: Pick<Reads, 'catalogs' | 'renditionPresets'>,
): Promise<void> {
  assertFiles(content, checked)
  if (content.files!.as === 'zip' && content.compress) throw invalid("compress must be false with files.as 'zip'")
  const { preset } = content.files!
  if ((await reads.renditionPresets.get(preset)) === undefined)
    throw invalid(`files.preset names the unknown rendition preset '${shorten(preset, 128)}'`)
  for (const id of catalogsInFiles(content.files))
    if ((await reads.catalogs.get(id)) === undefined)
      throw invalid(`files.name names the unknown catalog '${shorten(id, 128)}'`)
}

/** A table says which record is gone by its ID. @throws VALIDATION_ERROR */
function assertDelta({ delta, columns, format }: Content): void {
  if (delta === null || columns === null || !isTable(format)) return
  if (!columns.some(({ field }) => field === 'id'))
    throw invalid(`columns must have a column with field 'id': a delta in ${format} names deleted records by it`)
  if (columns.some(({ header }) => header === 'deleted'))
    throw invalid("columns must not have the header 'deleted': a delta has a column of that name")
}

/** @throws VALIDATION_ERROR naming the column whose catalog is unknown */
export async function assertCatalogs(reads: Pick<Reads, 'catalogs'>, columns: readonly ExportColumn[]): Promise<void> {
  for (const id of catalogsOf(columns)) {
    if ((await reads.catalogs.get(id)) !== undefined) continue
    const index = columns.findIndex((column) => catalogsIn(column).includes(id))
    const { template } = columns[index]!
    const problem = `names the unknown catalog '${shorten(id, 128)}'`
    throw invalid(
      template === undefined
        ? `columns[${index}].categoryPath ${problem}`
        : `columns[${index}].template ${new TemplateFault(problem, placeOfCatalog(template, id)).message}`,
    )
  }
}

async function searchOf(
  { selection }: Content,
  sent: v.InferOutput<typeof ExportJobInput>['selection'],
  before: JobSelection | null,
  caller: Caller,
  reads: Pick<Reads, 'savedQueries'>,
): Promise<Selection | undefined> {
  if (selection === null || !isBySavedQuery(selection)) return writtenSearch(sent)
  const query = await reads.savedQueries.get(selection.savedQueryId)
  // A job can be sent back unchanged, even after its saved query was made private.
  const isKept = before !== null && isBySavedQuery(before) && before.savedQueryId === selection.savedQueryId
  if (query !== undefined && (isKept || isVisibleTo(query, caller.id))) return query
  throw invalid(`selection.savedQueryId names the unknown saved query '${shorten(selection.savedQueryId, 128)}'`)
}

function assertSearch(search: Selection, { schemaId }: Content, model: Model, { role }: Caller): void {
  questionOf(search, 'selection.')
  assertMayFind(model, role, { ...search, schemaId: search.schemaId ?? schemaId }, 'selection.')
}
