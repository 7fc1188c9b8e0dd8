// `pimlet migrate`. Contract 2 §8.
import path from 'node:path'
import { UsageError } from '../kernel/machine/start-error.ts'
import { migrate } from '../workspace/maintenance/workspace-migration.ts'
import { dataDirOf, settingsOf, WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { carryFiles } from './file-content.ts'
import type { Command, Given } from './command.ts'
import { showProgress } from './progress-bar.ts'

const URL_FORM = /^postgres(?:ql)?:/

export const migrateCommand: Command = {
  name: 'migrate',
  description: 'Move a workspace that nobody serves from its data directory to PostgreSQL, or back',
  flags: [
    { name: 'from', description: 'The workspace: a data directory, or a database (postgres://…)' },
    { name: 'to', description: 'Where it goes: the other of the two, empty' },
    ...WORKSPACE_FLAGS.filter(({ name }) => name !== 'database-url').map((flag) =>
      flag.name === 'data-dir'
        ? {
            ...flag,
            description: 'Data directory of a server on the database: its keys and files go there, or come from there',
          }
        : flag,
    ),
  ],
  examples: [
    [
      'pimlet migrate --from ./data --to postgres://pimlet@db.example/pimlet --data-dir ./node1',
      'Then: pimlet --database-url postgres://… --data-dir ./node1',
    ],
    [
      'pimlet migrate --from postgres://pimlet@db.example/pimlet --data-dir ./node1 --to ./data',
      'Then: pimlet --data-dir ./data',
    ],
  ],
  notes:
    'A password may be in the variable PGPASSWORD. The source stays as it is. Every table is compared: rows and checksums are printed. Until all is there and compared no server starts on what is made.',
  async run(given) {
    const [from, to] = [placeOf(given, 'from'), placeOf(given, 'to')]
    const isIntoDatabase = URL_FORM.test(to)
    if (URL_FORM.test(from) === isIntoDatabase)
      throw new UsageError('One of --from and --to must be a directory, the other one a database (postgres://…)')
    const [directory, databaseUrl] = isIntoDatabase ? [from, to] : [to, from]
    if (URL.parse(databaseUrl) === null)
      throw new UsageError('The database must be an address such as postgres://pimlet@db.example:5432/pimlet')
    const dataDir = dataDirOf(settingsOf(given.flags))
    const moved = await migrate({
      directory: path.resolve(directory),
      databaseUrl,
      isIntoDatabase,
      dataDir,
      carryFiles: settingsOf(given.flags).text('files') === undefined ? carryFiles : async () => undefined,
      show: showProgress,
    })
    for (const { table, rows, checksum } of moved)
      process.stdout.write(`${table.padEnd(24)} ${String(rows).padStart(10)}  ${checksum}\n`)
    process.stdout.write(`${moved.length} tables, equal on both sides\n`)
    return 0
  },
}

/** @throws UsageError */
function placeOf(given: Given, flag: string): string {
  const text = given.text(flag)
  if (text === undefined) throw new UsageError(`--${flag} is required; see pimlet migrate --help`)
  return text
}
