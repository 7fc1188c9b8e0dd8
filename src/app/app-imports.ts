// Imports and what they are made of: a part of the composition root (`app.ts`).
import path from 'node:path'
import { PimletError } from '../kernel/errors.ts'
import { createImportFiles, type StoredImportFiles } from '../imports/readers/import-files.ts'
import type { DataDirectory } from '../kernel/machine/data-directory.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import type { Log } from '../kernel/observing/log.ts'
import type { Store } from '../store/port.ts'
import type { Config } from '../kernel/settings/config.ts'

/** Where files lie that are imported; what is of no import is gone. @throws StartError */
export async function prepareImports(
  { directory, store }: { readonly directory: DataDirectory; readonly store: Store },
  { maxImport, maxBody, maxBodyValues }: Config,
  log: Log,
): Promise<StoredImportFiles> {
  const files = createImportFiles({
    directory: path.join(directory.path, 'imports'),
    maxBytes: maxImport,
    maxPart: maxBody,
    maxValues: maxBodyValues,
    pieces: store.files,
    onFault: (message, error) => log.error({ err: error }, message),
  })
  await files.begin(new Set(await store.read.imports.ids())).catch((error: unknown) => {
    throw error instanceof PimletError ? new StartError(error.message, { cause: error }) : error
  })
  return files
}
