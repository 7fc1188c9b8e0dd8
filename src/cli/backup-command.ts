// `pimlet backup`. Contract 2 §8.
import { readVersion } from '../kernel/executable/assets.ts'
import { WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { readDataDir } from '../kernel/settings/workspace-place.ts'
import { backUp } from '../workspace/maintenance/backup.ts'
import { system } from '../kernel/machine/system.ts'
import type { Command } from './command.ts'
import { dataDirOf, settingsOf } from '../kernel/settings/config.ts'
import type { GivenFlags } from '../kernel/settings/settings.ts'
import { copyFilesOf, describeCopy, openDirectory, openOwnContent } from './file-content.ts'
import { BACK_UP_BY_ITS_TOOLS } from './database-texts.ts'
import { megabytes, showProgress } from './progress-bar.ts'

export const backupCommand: Command = {
  name: 'backup',
  description: 'Write a workspace, as it is now, into one file, also while a server runs on it',
  argument: { name: 'file', description: 'The backup that is made' },
  flags: [
    ...WORKSPACE_FLAGS,
    { name: 'files', description: 'Directory that gets the bytes of files, those that it does not have yet' },
    { name: 'force', isSwitch: true, description: 'Replace the file where it exists' },
    {
      name: 'without-keys',
      isSwitch: true,
      description: 'Leave signing.key and encryption.key out: keep them elsewhere',
    },
  ],
  examples: [
    ['pimlet backup monday.pimlet --data-dir ./data', 'Whether a server runs on ./data or not'],
    ['pimlet backup latest.pimlet --data-dir ./data --force', 'In place of the one before, when it is complete'],
    ['pimlet backup monday.pimlet --data-dir ./data --files ./files-backup', 'With the bytes of files'],
    ['pimlet backup shared.pimlet --data-dir ./data --without-keys', 'For a place where others may read it'],
  ],
  notes:
    'The file holds everything but the bytes of files, plugins and the search index, which is made again; with the keys it opens every stored secret, so keep it private. It is checked before it gets its name. pimlet restore takes it back. A workspace in a database is backed up by pg_dump.',
  async run(given) {
    const file = given.argument
    const directory = given.text('files')
    const { records, bytes, leftOut } = await backUp({
      dataDir: readDataDir(given.flags, BACK_UP_BY_ITS_TOOLS),
      file,
      withKeys: !given.isOn('without-keys'),
      mayReplace: given.isOn('force'),
      version: readVersion(),
      system,
      show: showProgress,
    })
    process.stdout.write(`${file}: ${records} records, ${megabytes(bytes)}, checked\n`)
    for (const what of leftOut) process.stdout.write(`not in it: ${what}\n`)
    return directory === undefined ? 0 : await copyFiles(given.flags, directory)
  },
}

/**
 * Copies files after the database: the files that the copied database names are then a part of the present files.
 * @returns the exit status
 */
async function copyFiles(flags: GivenFlags, directory: string): Promise<number> {
  const [own, copies] = [await openOwnContent(flags), await openDirectory(directory)]
  const copied = await copyFilesOf(dataDirOf(settingsOf(flags)), own, copies)
  process.stdout.write(describeCopy(directory, copied))
  return copied.faults.length > 0 ? 1 : 0
}
