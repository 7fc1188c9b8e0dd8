// Looks through a zip of files: finds its files, and the record of each file. Contract 4 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '../../kernel/errors.ts'
import { Archive, FILES, ROOT } from '../readers/archive.ts'
import { MAX_ZIP_FILES, type ZipContent } from '../rules/import-upload.ts'
import { Grouping } from '../rules/zip-names.ts'

/** Names of files that an upload shows. */
const SAMPLES = 100
/** Milliseconds of work before the event loop gets a turn. */
const MAX_TURN = 2

/** Runs work with an open zip. @throws VALIDATION_ERROR for a file that is no zip of files; errors of `work` */
export async function withZip<Result>(file: string, work: (zip: Archive) => Promise<Result>): Promise<Result> {
  const zip = await Archive.open(file, FILES)
  try {
    if (zip.has(ROOT)) throw invalid('The file is a workbook: give it a name that ends in .xlsx')
    if (zip.size > MAX_ZIP_FILES) throw invalid(`The zip has ${zip.size} files, and may have ${MAX_ZIP_FILES}`)
    return await work(zip)
  } finally {
    zip.close()
  }
}

/** @throws VALIDATION_ERROR */
export function inspectZip(file: string): Promise<ZipContent> {
  return withZip(file, async (zip) => {
    if (zip.size === 0) throw invalid('The zip has no files')
    return { files: zip.size, samples: [...zip.names()].slice(0, SAMPLES), skipped: zip.skipped }
  })
}

/** Finds the record of each file by the pattern. @throws the signal's reason */
export async function groupFiles(zip: Archive, pattern: string, signal: AbortSignal): Promise<Grouping> {
  const grouping = new Grouping(pattern)
  let line = 0
  for await (const path of inTurns(zip.names(), signal)) grouping.add(path, (line += 1))
  return grouping
}

/** Yields the items, and gives the event loop turns between them. @throws the signal's reason */
export async function* inTurns<Item>(items: Iterable<Item>, signal: AbortSignal): AsyncGenerator<Item, void> {
  let turn = performance.now()
  for (const item of items) {
    yield item
    if (performance.now() - turn < MAX_TURN) continue
    await nextTurn()
    signal.throwIfAborted()
    turn = performance.now()
  }
}
