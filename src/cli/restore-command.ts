// `pimlet restore`. Contract 2 §8.
import { WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { readDataDir } from '../kernel/settings/workspace-place.ts'
import { restore } from '../workspace/maintenance/restore.ts'
import { system } from '../kernel/machine/system.ts'
import type { Command } from './command.ts'
import { copyFilesOf, describeCopy, openDirectory, openOwnContent } from './file-content.ts'
import { RESTORE_BY_ITS_TOOLS } from './database-texts.ts'
import { showProgress } from './progress-bar.ts'

export const restoreCommand: Command = {
  name: 'restore',
  description: 'Make a workspace from a backup',
  argument: { name: 'file', description: 'A file that pimlet backup made' },
  flags: [
    ...WORKSPACE_FLAGS.map((flag) =>
      flag.name === 'data-dir' ? { ...flag, description: 'Directory of the workspace: a new or an empty one' } : flag,
    ),
    { name: 'files', description: 'Directory with the bytes of files that pimlet backup --files made' },
    {
      name: 'new-keys',
      isSwitch: true,
      description: 'Make new keys: sessions end, and secrets of destinations must be entered again',
    },
  ],
  examples: [
    ['pimlet restore monday.pimlet --data-dir ./restored', 'Then: pimlet --data-dir ./restored'],
    ['pimlet restore shared.pimlet --data-dir ./copy --new-keys', 'A backup without keys, for a test'],
  ],
  notes:
    'A directory that holds anything is refused. Until the workspace is there and checked, no server starts on it. The bytes of --files come after that; start no server before they are there. A workspace in a database is restored by pg_restore.',
  async run(given) {
    const dataDir = readDataDir(given.flags, RESTORE_BY_ITS_TOOLS)
    const { records, createdAt, missingKeys } = await restore({
      file: given.argument,
      dataDir,
      withNewKeys: given.isOn('new-keys'),
      system,
      show: showProgress,
    })
    process.stdout.write(`${dataDir}: ${records} records, as of ${createdAt}\n`)
    for (const key of missingKeys) process.stdout.write(`not in the backup, put it there before you start: ${key}\n`)
    const directory = given.text('files')
    if (directory === undefined) return 0
    const [copies, own] = [await openDirectory(directory), await openOwnContent(given.flags)]
    const copied = await copyFilesOf(dataDir, copies, own)
    process.stdout.write(describeCopy(own.place, copied))
    return copied.faults.length > 0 ? 1 : 0
  },
}
