// `pimlet bulk` and `pimlet undo`: change many records of a server, and revert this. Contract 3 §8.
import { parseScopeKey, withinScope } from '../core/scopes/scope.ts'
import { shorten } from '../kernel/errors.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'
import { CONNECTION_FLAGS } from '../kernel/settings/config.ts'
import { type Connection, readConnection } from '../kernel/settings/workspace-place.ts'
import { runJob } from './bulk-watching.ts'
import { getJson, RefusedRequest } from './client.ts'
import type { Command, Given } from './command.ts'
import {
  assertCategories,
  assertKnown,
  assertKnownSchema,
  assertKnownScope,
  idsOf,
  type VisibleModel,
} from './assert-known.ts'
import { readQuery } from './query-flag.ts'

export const bulkCommand: Command = {
  name: 'bulk',
  description: 'Change many records of a server',
  flags: [
    { name: 'query', description: 'ID of a saved query, or a search as JSON: its matches' },
    { name: 'schema', description: 'ID of a schema: only its records' },
    { name: 'set', isList: true, description: 'alias=value or alias[language=de]=value; without a value it goes' },
    { name: 'clear', isList: true, description: 'Alias of an attribute whose values go' },
    { name: 'add-references', isList: true, description: 'alias=ID,ID or alias[language=de]=ID: records to add' },
    {
      name: 'remove-references',
      isList: true,
      description: 'alias=ID,ID: records to remove, in every scope or in one',
    },
    { name: 'transition', description: 'ID of a transition that the records take' },
    { name: 'categories', description: 'IDs of the categories that the records are to have, separated by commas' },
    { name: 'add-categories', description: 'IDs of categories that are added' },
    { name: 'remove-categories', description: 'IDs of categories that are removed' },
    { name: 'delete', isSwitch: true, description: 'Delete the records and their variants' },
    { name: 'dry-run', isSwitch: true, description: 'Say what would become of them, and change nothing' },
    ...CONNECTION_FLAGS,
  ],
  examples: [
    ['pimlet bulk --query sq-old --transition tr-unpublish --dry-run', 'See what would become of the records'],
    ["pimlet bulk --schema sch-shirt --set 'name[language=de]=Hemd' --set weight=5", 'Set values of all shirts'],
    [
      `pimlet bulk --query '{"criteria":[{"attributeAlias":"weight","operator":"isEmpty"}],"criteriaOperator":"and"}' --add-categories ctg-todo`,
      'By a search of its own',
    ],
  ],
  notes:
    'The job goes on when this command is ended. Its ID comes first in what is printed: pimlet undo takes it back. Values of texts, options, dates and references are written as they are, others as JSON. See docs/bulk.md.',
  async run(given) {
    const connection = readConnection(given.flags)
    const model = await getJson<VisibleModel>(connection, '/api/v1/me/model')
    await assertKnownNames(connection, given, model)
    const actions = actionsOf(given, model)
    const query = await queryOf(connection, given)
    await runJob(connection, '/api/v1/bulk-jobs', { selection: { query }, actions, dryRun: given.isOn('dry-run') })
    return 0
  },
}

export const undoCommand: Command = {
  name: 'undo',
  description: 'Write back what a bulk job has changed',
  argument: { name: 'job', description: 'ID of the bulk job' },
  flags: CONNECTION_FLAGS,
  examples: [['pimlet undo bulk-01kjy1x4m0c7w8vbf2q9hz5tra', 'With the key in PIMLET_API_KEY']],
  notes: 'What somebody has changed since is left alone and listed, and the exit status is 1.',
  async run(given) {
    const path = `/api/v1/bulk-jobs/${encodeURIComponent(given.argument)}/undo`
    await runJob(readConnection(given.flags), path).catch((error: unknown) => {
      if (!(error instanceof RefusedRequest) || error.status !== 404) throw error
      throw new UsageError(`There is no bulk job '${shorten(given.argument)}' that you may see`)
    })
    return 0
  },
}

/** @throws UsageError where no flag selects records */
async function queryOf(connection: Connection, given: Given): Promise<object> {
  const [query, schemaId] = [given.text('query'), given.text('schema')]
  if (query === undefined && schemaId === undefined)
    throw new UsageError('--query or --schema is required: which records?')
  const found = query === undefined ? { criteria: [], criteriaOperator: 'and' } : await readQuery(connection, query)
  return schemaId === undefined ? found : { ...found, schemaId }
}

/** Returns actions in the order of the help. @throws UsageError where there is no action */
function actionsOf(given: Given, model: VisibleModel): object[] {
  const [set, clear] = [listOf(given, 'set'), listOf(given, 'clear')]
  const placesOf = (flag: string) => listedIn(given, flag)?.map((categoryId) => ({ categoryId }))
  const actions: Record<string, unknown>[] = [
    ...(set.length > 0 ? [patchOf(set, schemasOf(given, model)) as Record<string, unknown>] : []),
    ...(clear.length > 0 ? [{ clearValues: { attributeAliases: clear } }] : []),
    ...listOf(given, 'add-references').map((one) => ({ addReferences: readReferences('--add-references', one) })),
    ...listOf(given, 'remove-references').map((one) => ({
      removeReferences: readReferences('--remove-references', one),
    })),
    { transition: given.text('transition') },
    { setCategories: placesOf('categories') },
    { addCategories: placesOf('add-categories') },
    { removeCategories: listedIn(given, 'remove-categories') },
    ...(given.isOn('delete') ? [{ delete: true }] : []),
  ]
  const wanted = actions.filter((action) => Object.values(action).some((value) => value !== undefined))
  if (wanted.length > 0) return wanted
  throw new UsageError('Name an action: --set, --clear, --transition, --categories, --delete; see pimlet bulk --help')
}

function listOf(given: Given, flag: string): string[] {
  return [own(given.flags, flag) ?? []].flat().map(String)
}

/** Returns the IDs of a flag, separated by commas. */
function listedIn(given: Given, flag: string): string[] | undefined {
  return given
    .text(flag)
    ?.split(',')
    .map((id) => id.trim())
}

function schemasOf(given: Given, { schemas }: VisibleModel): VisibleModel['schemas'] {
  const wanted = given.text('schema')
  return schemas.filter(({ id }) => wanted === undefined || id === wanted)
}

/** @throws UsageError, StartError */
async function assertKnownNames(connection: Connection, given: Given, model: VisibleModel): Promise<void> {
  assertKnownSchema(model, '--schema', given.text('schema'))
  const aliases = schemasOf(given, model).flatMap(({ attributes }) => attributes.map(({ alias }) => alias))
  for (const alias of listOf(given, 'clear')) assertKnown(aliases, '--clear', 'attribute', alias)
  for (const flag of ['set', 'add-references', 'remove-references'])
    for (const { alias, scope } of listOf(given, flag).map((one) => readSetting(one, `--${flag}`))) {
      assertKnown(aliases, `--${flag}`, 'attribute', alias)
      assertKnownScope(model, `--${flag}`, scope)
    }
  const transitions = idsOf(model.workflows.flatMap((workflow) => workflow.transitions))
  assertKnown(transitions, '--transition', 'transition', given.text('transition'))
  for (const flag of ['categories', 'add-categories', 'remove-categories']) {
    const ids = listedIn(given, flag)
    if (ids !== undefined) await assertCategories(connection, `--${flag}`, model, ids)
  }
}

/** Data types whose values are written as plain text; all other values are JSON. */
const TEXTS = ['text', 'richText', 'url', 'select', 'date', 'dateTime', 'reference']

interface Setting {
  readonly alias: string
  readonly scope: Record<string, string>
  readonly text: string
}

/** `name[language=de]=Hemd`; without text behind the sign, the value is removed. @throws UsageError */
function readSetting(given: string, flag = '--set'): Setting {
  const [, alias, scope = '', text] = /^([A-Za-z][\w-]*)(?:\[([^\]]*)\])?=([^]*)$/.exec(given) ?? []
  const isScope = scope === '' || scope.split(';').every((pair) => /^[^=]+=[^=]+$/.test(pair))
  if (alias === undefined || text === undefined || !isScope)
    throw new UsageError(`${flag} '${given}' is not of the form alias=value or alias[language=de;market=eu]=value`)
  return { alias, scope: parseScopeKey(scope), text }
}

/** Without a scope, removing is for every scope. @throws UsageError where no record is named */
function readReferences(flag: string, given: string): object {
  const { alias, scope, text } = readSetting(given, flag)
  const ids = text.split(/[,|]/).map((id) => id.trim())
  if (ids.includes('')) throw new UsageError(`${flag} '${given}' names no record: write alias=ID or alias=ID,ID`)
  return { attributeAlias: alias, ids, ...withinScope(scope) }
}

/** Returns `{ patchValues }` with all settings. @throws UsageError */
function patchOf(settings: readonly string[], schemas: VisibleModel['schemas']): object {
  const byAlias = Map.groupBy(
    settings.map((one) => readSetting(one)),
    ({ alias }) => alias,
  )
  const values = [...byAlias].map(([alias, some]) => {
    const types = new Set(
      schemas.flatMap(({ attributes }) => attributes.filter((one) => one.alias === alias).map((one) => one.dataType)),
    )
    const isText = [...types].map((type) => TEXTS.includes(type))
    if (new Set(isText).size > 1) throw new UsageError(`'${alias}' is of several data types: name a schema by --schema`)
    return [alias, some.map(({ scope, text }) => ({ scope, value: readValue(alias, text, isText[0]!) }))]
  })
  return { patchValues: Object.fromEntries(values) as object }
}

function readValue(alias: string, text: string, isText: boolean): unknown {
  if (text === '') return null
  if (isText) return text
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const example = `{"amount":29.9,"currency":"EUR"}`
    throw new UsageError(`--set ${alias}: '${text}' is not JSON, such as 5, true or ${example}`, { cause: error })
  }
}
