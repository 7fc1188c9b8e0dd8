// A store with the export model, for tests that render without a server.
import { DEFAULT_SHEET, PLAIN_CSV } from '../../src/core/csv/csv-dialect.ts'
import type { AddressSource } from '../../src/exports/rendering/file-addresses.ts'
import type { ExportSelection } from '../../src/exports/rendering/render-messages.ts'
import type { Store, Transaction } from '../../src/store/port.ts'
import { AT, insertExportModel } from './export-model.ts'
import type { Lifetime } from './shared-in-suite.ts'
import { makeTempDirectory } from './temp-directory.ts'
import { openTestedStore } from './tested-database.ts'

/** Closed at the end of the test before the store, which would otherwise wait. */
interface Closable {
  close(): Promise<void>
}

export interface ExportStore {
  readonly store: Store
  readonly directory: string
  readonly closeFirst: <Reader extends Closable>(reader: Reader) => Reader
}

export interface RecordToStore {
  readonly id: string
  readonly schemaId?: string
  readonly parentId?: string | null
  readonly lifecycleStateId?: string
  readonly values?: object
}

export async function openExportStore(
  test: Lifetime,
  insertModel: (tx: Transaction) => Promise<void> = insertExportModel,
): Promise<ExportStore> {
  const directory = makeTempDirectory()
  const store = await openTestedStore(directory)
  const readers: Closable[] = []
  test.after(async () => {
    for (const reader of readers) await reader.close()
    await store.close()
  })
  await store.transaction(insertModel)
  const closeFirst = <Reader extends Closable>(reader: Reader): Reader => {
    readers.push(reader)
    return reader
  }
  return { store, directory, closeFirst }
}

export async function storeRecords(store: Store, records: readonly RecordToStore[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const [index, record] of records.entries()) {
      await tx.records.insert({
        id: record.id,
        schemaId: record.schemaId ?? 'sch-all',
        parentId: record.parentId ?? null,
        lifecycleStateId: record.lifecycleStateId ?? 'state-draft',
        createdAt: AT,
        updatedAt: AT,
        createdBy: 'usr-1',
        updatedBy: 'usr-1',
        version: index + 1,
        valuesJson: JSON.stringify(record.values ?? {}),
      })
    }
  })
}

/** For jobs whose columns write no addresses. */
export const NO_ADDRESSES: AddressSource = { publicUrl: '', key: async () => Buffer.alloc(32) }

/** Everything as jsonl, with the rights of an admin. */
export const everything: ExportSelection = {
  format: 'jsonl',
  schemaId: null,
  catalogId: null,
  dimensionScope: null,
  includeVariants: true,
  variantValues: 'effective',
  includeLifecycleStateIds: null,
  spreadsheetSafe: false,
  roleId: 'role-admin',
  query: null,
  columns: null,
  select: null,
  dialect: PLAIN_CSV,
  xml: null,
  addresses: null,
  files: null,
  sheet: DEFAULT_SHEET,
}
