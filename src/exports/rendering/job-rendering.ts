// The renderer's view of a job: its records, by rules or by a search, and its format. Contract 3 §5.
import { createHash } from 'node:crypto'
import { catalogsOf } from '../rules/export-columns.ts'
import { catalogsInFiles } from '../rules/job-files.ts'
import { DEFAULT_SHEET } from '../../core/csv/csv-dialect.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { isBySavedQuery, questionOfJob } from '../rules/job-selection.ts'
import { searchOf } from '../../core/model/job-uses.ts'
import { assertMayFind, searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { assertSort } from '../../core/search/rules/sorting.ts'
import { invalid, PimletError } from '../../kernel/errors.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { CommittedReads } from '../../store/port.ts'
import type { SearchQuery } from '../../store/search-port.ts'
import { type AddressSource, openAddressBook } from './file-addresses.ts'
import type { ExportSelection } from './render-messages.ts'
import type { FileBook } from './row-files.ts'

/**
 * Renders without any setting of the destination.
 * @param role whose rights the rendering has
 * @throws VALIDATION_ERROR, PERMISSION_DENIED if the job's search no longer fits the model or role
 * @throws UNAVAILABLE
 */
export async function selectionOf(
  job: ExportJob,
  role: Role,
  { read, addresses }: { readonly read: CommittedReads; readonly addresses: AddressSource },
): Promise<ExportSelection> {
  const { format, columns, dimensionScope, variantValues, spreadsheetSafe, sheet } = job
  const { delimiter, decimal, bom, separator, xml } = job
  const { schemaId, catalogId, includeVariants, includeLifecycleStateIds } = job
  return {
    format,
    columns,
    select: null,
    dimensionScope,
    variantValues,
    spreadsheetSafe,
    dialect: { delimiter, decimal, bom, separator },
    xml,
    addresses: await openAddressBook(columns, read, addresses),
    files: await openFileBook(job, read),
    sheet: sheet ?? DEFAULT_SHEET,
    hasDeltas: job.delta !== null,
    schemaId,
    catalogId,
    includeVariants,
    includeLifecycleStateIds,
    roleId: role.id,
    query: isSearched(job) ? await queryOf(job, role, read) : null,
  }
}

function isSearched({ selection, sort, columns, delta, files }: ExportJob): boolean {
  const catalogIds = [...catalogsOf(columns ?? []), ...catalogsInFiles(files)]
  return delta !== null || selection !== null || sort.length > 0 || catalogIds.length > 0
}

async function queryOf(job: ExportJob, role: Role, read: CommittedReads): Promise<SearchQuery> {
  const model = await read.model()
  const search = await searchOf(read, job)
  const { selection } = job
  if (search === undefined && selection !== null && isBySavedQuery(selection))
    throw new PimletError('NOT_FOUND', `The saved query '${selection.savedQueryId}' of the job no longer exists`)
  const { criteria, text, schemaId, sort } = questionOfJob(job, search, job.sort)
  try {
    // A selection of another schema than the job's finds nothing, and need not fit.
    if (search !== undefined && (search.schemaId ?? schemaId) === schemaId)
      assertMayFind(model, role, { ...search, schemaId }, 'selection.')
    assertSort(sort, searchedSchemas(model, schemaId), model, role)
  } catch (error) {
    if (!(error instanceof PimletError)) throw error
    throw new PimletError(error.code, `The job's selection or sort cannot be asked any more: ${error.message}`)
  }
  await read.whenSearchable()
  const find = { kind: 'criteria', criteria, text } as const
  return { find, role, schemaId, sort, offset: 0, limit: null, isCounted: false }
}

/** @throws VALIDATION_ERROR for a preset that does not exist any more */
async function openFileBook({ files: settings }: ExportJob, read: CommittedReads): Promise<FileBook | null> {
  if (settings === null) return null
  const preset = await read.renditionPresets.get(settings.preset)
  if (preset !== undefined) return { settings, preset }
  throw invalid(`files.preset names the unknown rendition preset '${settings.preset}'`)
}

/** Digest of the settings whose change makes all delivered files useless. */
export function targetOf(job: ExportJob): string {
  const { destinationType, destinationConfig, format, columns, dimensionScope, variantValues } = job
  const { delimiter, decimal, bom, separator, sheet, spreadsheetSafe, createdAt, files } = job
  const csv = [delimiter, decimal, bom, separator]
  const written = [format, columns, dimensionScope, variantValues, ...csv, sheet, spreadsheetSafe]
  const all = JSON.stringify([
    createdAt,
    destinationType,
    destinationConfig,
    written,
    ...(files === null ? [] : [files]),
  ])
  return createHash('sha256').update(all).digest('base64url')
}
