// `pimlet user …`: manages users without a server. Contract 2 §8.
import { Password } from '../kernel/input/validation.ts'
import * as v from 'valibot'
import { WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { readAccounts } from '../kernel/settings/workspace-place.ts'
import { setPassword } from '../workspace/maintenance/offline-accounts.ts'
import { createPasswordHasher } from '../core/accounts/passwords.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { system } from '../kernel/machine/system.ts'
import type { Command, Given } from './command.ts'
import { EXAMPLE_URL } from './database-texts.ts'
import { askForPassword, readPasswordLine } from './password-input.ts'

export const setPasswordCommand: Command = {
  name: 'user set-password',
  description: 'Give a user a new password; in a directory, while no server runs',
  argument: { name: 'name', description: 'The username' },
  flags: [
    ...WORKSPACE_FLAGS,
    { name: 'password-stdin', isSwitch: true, description: 'Read the password from standard input, as one line' },
  ],
  examples: [
    ['pimlet user set-password admin --data-dir ./data', 'It asks for the password twice, and shows nothing of it'],
    [`pimlet user set-password admin --database-url ${EXAMPLE_URL}`, 'In a database, whether servers run on it or not'],
    ['pass show pimlet | pimlet user set-password admin --data-dir ./data --password-stdin', 'From a password store'],
  ],
  notes:
    'All sessions of the user end. The password cannot be an argument, which other users of the machine could read.',
  async run(given) {
    const username = given.argument
    const { isDisabled } = await setPassword({
      workspace: readAccounts(given.flags),
      username,
      readPassword: () => readPassword(given),
      passwords: createPasswordHasher(system),
      system,
    })
    process.stdout.write(`${username} has a new password${isDisabled ? ', but is disabled' : ''}\n`)
    return 0
  },
}

async function readPassword(given: Given): Promise<string> {
  if (!given.isOn('password-stdin')) return askForPassword(process.stdin, process.stderr, assertPassword)
  const password = await readPasswordLine(process.stdin)
  assertPassword(password)
  return password
}

/** @throws UsageError */
function assertPassword(password: string): void {
  const result = v.safeParse(Password, password)
  if (!result.success) throw new UsageError(`The password ${result.issues[0].message}`)
}
