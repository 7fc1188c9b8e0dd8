// `pimlet files add`: sends files to the records that the names of the files identify. Contract 4 §4.
import path from 'node:path'
import { limitError } from '../core/records/rules/record-limit.ts'
import { ZIP_TYPE } from '../imports/rules/media-types.ts'
import { BY_ID, ZIP_MODES } from '../imports/rules/zip-mapping.ts'
import { DEFAULT_PATTERN } from '../imports/rules/zip-pattern.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import { CONNECTION_FLAGS } from '../kernel/settings/config.ts'
import { type Connection, readConnection } from '../kernel/settings/workspace-place.ts'
import { escapeControls } from '../kernel/text.ts'
import type { Command, Given } from './command.ts'
import { watched } from './import.ts'
import { importByJob, type JobResult } from './import-by-job.ts'
import { assertKnown, assertKnownSchema, readVisibleModel } from './assert-known.ts'
import { assertWritable, removeOutput } from './output-file.ts'
import { findZip } from './zip-content.ts'

/** Members of the mapping by flag. */
const MAPPING = {
  schema: 'schemaId',
  match: 'matchBy',
  attribute: 'attributeAlias',
  pattern: 'pattern',
  'picture-schema': 'pictureSchemaId',
  mode: 'mode',
} as const
const REQUIRED = ['schema', 'match', 'attribute'] as const

/** Most failed files that are shown. */
const SHOWN_ERRORS = 20

export const addFilesCommand: Command = {
  name: 'files add',
  description: 'Give files to the records of their names',
  argument: { name: 'files', description: 'Files and directories, or one zip', isList: true },
  flags: [
    { name: 'schema', description: 'ID of the schema of the records' },
    { name: 'match', description: 'Alias of a unique attribute by which records are found; id for their ID' },
    { name: 'attribute', description: 'Alias of the attribute that gets the files: a file, or references to pictures' },
    {
      name: 'pattern',
      defaultText: DEFAULT_PATTERN,
      description: 'A regular expression (RE2) for names of files, with the groups key and n',
    },
    { name: 'picture-schema', description: 'ID of the schema of pictures, for references to any schema' },
    {
      name: 'mode',
      choices: ZIP_MODES,
      defaultText: 'append',
      description: 'Whether files come behind the pictures of a record, or replace these',
    },
    { name: 'dry-run', isSwitch: true, description: 'Say which file would go where, and write nothing' },
    { name: 'failed', description: 'A csv that the files that fail are written into, each with what is wrong' },
    { name: 'force', isSwitch: true, description: 'Replace that csv where it exists' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet files add ./photos --schema sch-shirt --match sku --attribute pictures --dry-run', 'See what would come'],
    ['pimlet files add photos.zip --schema sch-shirt --match sku --attribute pictures', 'SH-1-2.jpg goes to SH-1'],
    [
      "pimlet files add *.pdf --schema sch-shirt --match sku --attribute manual --pattern '^(?<key>.+)\\.pdf$'",
      'A manual for each shirt',
    ],
  ],
  notes:
    'Each file stands alone: the first 20 that fail are listed, --failed FILE takes all of them, and the exit status is 1. See docs/files.md.',
  async run(given) {
    const connection = readConnection(given.flags)
    const mapping = mappingOf(given)
    await assertKnownNames(connection, given)
    const [name, mayReplace, dryRun] = [given.text('failed'), given.isOn('force'), given.isOn('dry-run')]
    const file = findZip(given.listed)
    if (name !== undefined) assertWritable(name, { mayReplace })
    const asked = {
      watched: <Result>(work: Parameters<typeof watched<Result>>[1]) => watched(file, work),
      fileName: `${path
        .basename(path.resolve(given.argument))
        .replace(/\.zip$/i, '')
        .slice(-250)}.zip`,
      type: ZIP_TYPE,
      unit: 'files' as const,
      reading: {},
      mapping,
      beginning: {},
      dryRun,
      shown: SHOWN_ERRORS,
    }
    const result = await importByJob(connection, asked, name === undefined ? undefined : { name, mayReplace })
    if (name !== undefined && result.failed === 0 && mayReplace) removeOutput(name)
    report(result, dryRun, name)
    return 0
  },
}

/** @throws UsageError */
function mappingOf(given: Given): Record<string, string> {
  const missing = REQUIRED.find((flag) => given.text(flag) === undefined)
  if (missing !== undefined) throw new UsageError(`--${missing} is required; see pimlet files add --help`)
  const members = Object.entries(MAPPING).map(([flag, member]) => [member, given.text(flag)] as const)
  return Object.fromEntries(members.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined))
}

/** Runs before anything is sent. @throws UsageError, StartError */
async function assertKnownNames(connection: Connection, given: Given): Promise<void> {
  const model = await readVisibleModel(connection)
  if (model === undefined) return
  assertKnownSchema(model, '--schema', given.text('schema'))
  assertKnownSchema(model, '--picture-schema', given.text('picture-schema'))
  const { attributes } = model.schemas.find(({ id }) => id === given.text('schema'))!
  const aliases = attributes.map(({ alias }) => alias)
  assertKnown([...aliases, BY_ID], '--match', 'attribute', given.text('match'))
  assertKnown(aliases, '--attribute', 'attribute', given.text('attribute'))
}

/** @throws StartError where files failed */
function report(result: JobResult, isDryRun: boolean, failedFile: string | undefined): void {
  const { updated, unchanged, failed, errors, limit, pictures, sample = [] } = result
  for (const { file = '', recordId, place } of sample)
    process.stderr.write(`${escapeControls(file)}: place ${place} of ${escapeControls(recordId ?? '')}\n`)
  if (isDryRun && updated > sample.length)
    process.stderr.write(`… and ${updated - sample.length} files more that would be placed\n`)
  for (const { file = '', error, message } of errors)
    process.stderr.write(`${escapeControls(file)}: ${error}: ${escapeControls(message)}\n`)
  if (failed > errors.length) process.stderr.write(`… and ${failed - errors.length} files more that failed\n`)
  const counts = `updated ${updated}, unchanged ${unchanged}, failed ${failed}, new pictures ${pictures}`
  process.stdout.write(`${isDryRun ? 'dry run, nothing is written: ' : ''}${counts}\n`)
  if (limit !== undefined) throw new StartError(limitError(limit, true).message)
  const where = failedFile === undefined ? '' : `: ${failedFile} has them`
  if (failed > 0) throw new StartError(`${failed} of ${updated + unchanged + failed} files failed${where}`)
}
