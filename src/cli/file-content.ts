// The store of files for commands that work on a workspace itself. Contract 4 §5.
import path from 'node:path'
import { copyContent, type CopyResult, findContentFault } from '../files/content/copying.ts'
import type { ContentStore } from '../files/content/content-store.ts'
import { createDirectoryStore } from '../files/content/directory-store.ts'
import { type ContentPlace, findContent, openContent } from '../files/content/open-content.ts'
import { dataDirOf, settingsOf } from '../kernel/settings/config.ts'
import type { GivenFlags } from '../kernel/settings/settings.ts'
import { StartError } from '../kernel/machine/start-error.ts'
import { type CheckedContent, knownFiles } from '../workspace/maintenance/checks/check-content.ts'
import { maintain } from '../workspace/maintenance/workspace.ts'

/** The store that a server has, for a command whose flag `--files` means another place. */
export function openOwnContent(flags: GivenFlags): Promise<ContentStore> {
  const { files: _other, ...rest } = flags as { readonly files?: unknown }
  return openContent(placeOf(rest))
}

function placeOf(flags: GivenFlags): ContentPlace {
  const settings = settingsOf(flags)
  return { dataDir: dataDirOf(settings), files: settings.text('files'), filesConfig: settings.text('files-config') }
}

export async function openCheckedContent(flags: GivenFlags): Promise<CheckedContent> {
  const store = findContent(placeOf(flags))
  return { store, findFault: (file) => findContentFault(store, file) }
}

/** Copies the bytes of all files of the workspace in `dataDir`. */
export async function copyFilesOf(dataDir: string, from: ContentStore, to: ContentStore): Promise<CopyResult> {
  const inspection = await (await maintain({ dataDir, databaseUrl: undefined })).inspect()
  try {
    return await copyContent(from, to, knownFiles(inspection))
  } finally {
    await inspection.close()
  }
}

export async function openDirectory(directory: string): Promise<ContentStore> {
  const store = createDirectoryStore(path.resolve(directory), { isShared: true })
  await store.prepare()
  return store
}

/** Copies all bytes of a data directory to another one. */
export async function carryFiles(fromDataDir: string, toDataDir: string): Promise<void> {
  if (fromDataDir === toDataDir) return
  const [from, to] = [
    await openDirectory(path.join(fromDataDir, 'files')),
    await openDirectory(path.join(toDataDir, 'files')),
  ]
  const sized = async function* () {
    for await (const sha256 of from.list()) yield { sha256, size: (await from.sizeOf(sha256)) ?? -1 }
  }
  const { faults } = await copyContent(from, to, sized())
  if (faults.length > 0) throw new StartError(`${faults.length} files were not carried: ${faults[0]}`)
}

export function describeCopy(place: string, { copied, present, faults }: CopyResult): string {
  const lines = faults.map((fault) => `${fault}\n`).join('')
  return `${place}: ${copied} files copied, ${present} were there${lines === '' ? '' : `\n${lines}`}\n`
}
