// The use case of exporting the result of a search as a file. Contract 3 §11.
import { searchedSchemas } from '../../core/search/rules/searched-schemas.ts'
import { questionOf } from '../../core/search/rules/selection.ts'
import { assertColumns } from '../rules/export-columns.ts'
import { keepColumns } from '../rules/hidden-texts.ts'
import { DEFAULT_SHEET } from '../../core/csv/csv-dialect.ts'
import { assertXml } from '../rules/xml-document.ts'
import { contentTypeOf } from '../rules/export-format.ts'
import { invalid } from '../../kernel/errors.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import type { ItemView } from '../../core/search/rules/item-view.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Store } from '../../store/port.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import { assertCatalogs } from './job-content.ts'
import { type AddressSource, openAddressBook } from '../rendering/file-addresses.ts'
import type { FoundRequest } from '../rendering/render-messages.ts'
import type { SearchService } from '../../core/search/search.ts'
import type { RecordExportInput } from '../rules/export-job.ts'

/** Renders files; `src/exports/rendering/render-client.ts` implements it. */
export interface FoundExporter {
  /** Resolves when the first part of the file is there. The end of the iteration, or the signal, ends the export. @throws UNAVAILABLE */
  stream(request: FoundRequest, callerId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

export function createRecordExportService(deps: {
  store: Store
  system: System
  search: SearchService
  exporter: FoundExporter
  addresses: AddressSource
}) {
  const { store, system, search, exporter, addresses } = deps
  return {
    /**
     * @throws errors of a search
     * @throws VALIDATION_ERROR for a scope or column that does not fit the model
     * @throws PERMISSION_DENIED for a column of a hidden attribute
     * @throws UNAVAILABLE
     */
    async export(caller: Caller, input: RecordExportInput, signal: AbortSignal) {
      const { format, select, stateId, dimensionScope = null, variantValues, compress } = input
      const { delimiter, decimal, bom, separator, xml = null } = input
      const columns = keepColumns({ columns: input.columns ?? null, schemaId: null }, undefined)
      const view: ItemView = { select: columns === null ? select : undefined, stateId }
      const schemaId = input.schemaId ?? undefined
      const { offset, limit } = input
      const query = await search.prepare(caller, input, {
        schemaId,
        offset,
        limit,
        total: false,
        view,
        text: questionOf(input),
        sort: input.sort,
        after: input.after,
      })
      const model = await store.read.model()
      const fault = dimensionScope && findScopeFault(dimensionScope, model)
      if (fault) throw invalid(`dimensionScope ${fault}`)
      if (columns !== null) {
        assertColumns(columns, searchedSchemas(model, schemaId), model, caller.role)
        await assertCatalogs(store.read, columns)
      }
      assertXml({ format, xml, columns })
      const dialect = { delimiter, decimal, bom, separator }
      const request = {
        format,
        query,
        columns,
        select: view.select ?? null,
        dimensionScope,
        variantValues,
        dialect,
        xml,
        addresses: await openAddressBook(columns, store.read, addresses),
        files: null,
        sheet: input.sheet ?? DEFAULT_SHEET,
        spreadsheetSafe: false,
        compress,
      }
      await store.read.whenSearchable()
      const chunks = await exporter.stream(request, caller.id, signal)
      // The ID of a schema has no character that a header could not hold.
      const subject = schemaId !== undefined && model.schemas.has(schemaId) ? schemaId : 'records'
      const day = system.now().toISOString().slice(0, 10)
      const name = `${subject}-${day}.${input.format}${input.compress ? '.gz' : ''}`
      return { name, mediaType: contentTypeOf(format, compress), chunks }
    },
  }
}
