// Gives the record of a group its files. Contract 4 §4.
import { assertCanWrite, assertPermission } from '../../core/accounts/rules/permissions.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { FileName } from '../../core/datatypes/file.ts'
import { describeFiles } from '../../core/records/naming-files.ts'
import type { ChangeOrigin } from '../../core/records/rules/changes.ts'
import { cleanFileName } from '../../core/values/file-name.ts'
import { conflict, invalid, isRefusal, type PimletError } from '../../kernel/errors.ts'
import type { System } from '../../kernel/machine/system.ts'
import { updateRecord, type Written } from '../import-line.ts'
import { findPicture, type LineTransaction, makePicture } from '../picture-cells.ts'
import type { NamedFile } from '../rules/zip-names.ts'
import { placeFiles } from '../rules/zip-placing.ts'
import { findRecordOf, type FoundRecord, withValue, type ZipReads, type ZipSearch } from './zip-search.ts'

/** A file of a zip whose bytes were read. */
export interface ReadFile extends NamedFile {
  readonly sha256: string
  /** Why the record cannot get the file. */
  readonly error?: PimletError | undefined
}

export interface ZipWriter extends ZipSearch {
  readonly system: System
  readonly origin: ChangeOrigin
  /** 0: no limit. */
  readonly maxRecords: number
}

/** The outcome of a file. */
export type FileEnding =
  | { readonly outcome: 'updated' | 'unchanged'; readonly place: number }
  | { readonly error: PimletError }

export interface WrittenGroup extends Written {
  /** In the order of the files. */
  readonly endings: readonly FileEnding[]
  /** New records of pictures. */
  readonly made: readonly string[]
}

/** How records are made: in storage, or only on paper in a dry run. */
interface Hand {
  /** Resolves to the ID of a new record of a picture. */
  readonly make: (value: FileName) => Promise<string>
  readonly save: (found: FoundRecord, value: FileName | readonly string[]) => Promise<Written>
}

type ZipTransaction = LineTransaction & ZipReads

export function fileOf({ path, sha256 }: Pick<ReadFile, 'path' | 'sha256'>): FileName {
  return { sha256, fileName: cleanFileName(path) }
}

/** Throws as `findRecordOf`, and as creating and updating records do. */
export async function writeGroup(
  tx: ZipTransaction,
  writer: ZipWriter,
  key: string,
  files: readonly ReadFile[],
): Promise<WrittenGroup> {
  const { pictures } = writer.target
  return giveFiles(
    tx,
    writer,
    { key, files },
    {
      make: async (value) => {
        const values = { [pictures!.attribute.alias]: [{ scope: {}, value }] }
        await describeFiles(tx, writer.caller, { schema: pictures!.schema, values, known: {} }).catch(asFileFault)
        return makePicture(tx, writer, pictures!, value)
      },
      save: (found, value) => {
        const { schema } = writer.target
        return updateRecord(tx, writer, found.record, {
          schema,
          own: found.own,
          values: withValue(found.own, writer.target, value),
        })
      },
    },
  )
}

/** Returns the outcomes that `writeGroup` would have. New records of pictures have IDs that identify their bytes. */
export async function rehearseGroup(
  reads: ZipReads,
  writer: ZipWriter,
  key: string,
  files: readonly ReadFile[],
): Promise<WrittenGroup> {
  const { caller, target } = writer
  const { schema, attribute } = target
  return giveFiles(
    reads,
    writer,
    { key, files },
    {
      make: async ({ sha256 }) => {
        assertPermission(caller.role, 'records.create')
        return `new-${sha256}`
      },
      save: async ({ record }, value) => {
        assertPermission(caller.role, 'records.update')
        assertCanWrite(caller.role, schema.id, [attribute.alias])
        const fault = Array.isArray(value) ? dataTypeOf(attribute).findFault(value, attribute) : undefined
        if (fault !== undefined) throw invalid(`values.${attribute.alias} ${fault.problem}`)
        if (Array.isArray(value) && record.parentId === null) writer.rehearsed?.set(record.id, value as string[])
        return { record, outcome: 'updated', changes: [], arrangement: null }
      },
    },
  )
}

interface Given {
  readonly key: string
  readonly files: readonly ReadFile[]
}

async function giveFiles(reads: ZipReads, writer: ZipWriter, { key, files }: Given, hand: Hand): Promise<WrittenGroup> {
  const found = await findRecordOf(reads, writer, key)
  if (writer.target.pictures === undefined) return giveFile(writer, found, files, hand)
  const { mapping, target } = writer
  const ids = new Map<string, string>()
  const faults = new Map<string, PimletError>()
  const made: string[] = []
  for (const { sha256, path, error } of files) {
    if (error !== undefined || ids.has(sha256) || faults.has(sha256)) continue
    const known = found.held.get(sha256) ?? (await findPicture(reads, writer, target.pictures!, { sha256 }))
    try {
      const id = known ?? (await hand.make(fileOf({ path, sha256 })))
      if (known === undefined) made.push(id)
      ids.set(sha256, id)
    } catch (fault) {
      if (!(fault instanceof FileFault)) throw fault
      faults.set(sha256, fault.error)
    }
  }
  const errorOf = ({ error, sha256 }: ReadFile): PimletError | undefined => error ?? faults.get(sha256)
  const wanted = files.filter((file) => errorOf(file) === undefined).map(({ sha256 }) => ids.get(sha256)!)
  const { after, places, isSame } = placeFiles(found.list, wanted, mapping.mode)
  // A record keeps its list if all files of the zip are at fault.
  const written = wanted.length === 0 || isSame ? unwritten(found) : await hand.save(found, after)
  const isWritten = written.outcome !== 'unchanged'
  const next = places.values()
  const endings = files.map((file): FileEnding => {
    const error = errorOf(file)
    if (error !== undefined) return { error }
    const { place, isChanged } = next.next().value!
    return { outcome: isWritten && isChanged ? 'updated' : 'unchanged', place }
  })
  return { ...written, endings, made }
}

/** The attribute takes one file: the first one. */
async function giveFile(
  { target: { attribute } }: ZipWriter,
  found: FoundRecord,
  files: readonly ReadFile[],
  hand: Hand,
): Promise<WrittenGroup> {
  const first = files.find(({ error }) => error === undefined)
  const isHeld = first === undefined || found.held.has(first.sha256)
  const written = isHeld ? unwritten(found) : await hand.save(found, fileOf(first))
  const outcome = written.outcome === 'unchanged' ? 'unchanged' : 'updated'
  const endings = files.map((file): FileEnding => {
    if (file === first) return { outcome, place: 1 }
    return { error: file.error ?? conflict(`'${attribute.alias}' takes one file: '${first!.path}' comes before`) }
  })
  return { ...written, endings, made: [] }
}

function unwritten({ record }: FoundRecord): Written {
  return { record, outcome: 'unchanged', changes: [], arrangement: null }
}

/** One file is at fault, not all of the group. */
class FileFault extends Error {
  readonly error: PimletError

  constructor(error: PimletError) {
    super(error.message)
    this.error = error
  }
}

function asFileFault(error: unknown): never {
  throw isRefusal(error) ? new FileFault(error) : error
}
