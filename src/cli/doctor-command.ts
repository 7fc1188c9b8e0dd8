// `pimlet doctor`. Contract 2 §8.
import { CONTENT_FLAGS, WORKSPACE_FLAGS } from '../kernel/settings/config.ts'
import { readWorkspace } from '../kernel/settings/workspace-place.ts'
import type { CheckResult, CheckStatus } from '../workspace/maintenance/check.ts'
import { examine } from '../workspace/maintenance/doctor.ts'
import type { Command } from './command.ts'
import { openCheckedContent } from './file-content.ts'
import { EXAMPLE_URL } from './database-texts.ts'
import { showProgress } from './progress-bar.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  description: 'Check a workspace: database, audit trail, search index, secrets, files and their bytes',
  flags: [
    ...WORKSPACE_FLAGS,
    ...CONTENT_FLAGS,
    { name: 'json', isSwitch: true, description: 'Print one JSON object, for programs' },
    {
      name: 'repair-index',
      isSwitch: true,
      description: 'Rebuild the search index first; no server may run on a --data-dir meanwhile',
    },
  ],
  examples: [
    ['pimlet doctor --data-dir ./data', 'Whether a server runs on ./data or not'],
    ['pimlet doctor --data-dir ./data --json', 'For monitoring: the exit status is 1 where there is a problem'],
    ['pimlet doctor --data-dir ./data --repair-index', 'When searches do not find what is there'],
    [
      `pimlet doctor --data-dir ./data --database-url ${EXAMPLE_URL}`,
      'A workspace in a database; in ./data are keys and files of a server on it',
    ],
  ],
  notes:
    'It reads only. Each check is ok, a warning (worth to know) or a problem (something is wrong). The exit status is 1 with a problem, else 0.',
  async run(given) {
    const results = await examine({
      ...readWorkspace(given.flags),
      repairIndex: given.isOn('repair-index'),
      openContent: () => openCheckedContent(given.flags),
      show: showProgress,
    })
    const status = worst(results)
    if (given.isOn('json')) process.stdout.write(`${JSON.stringify({ status, checks: results }, null, 2)}\n`)
    else for (const result of results) process.stdout.write(describe(result))
    return status === 'problem' ? 1 : 0
  },
}

function worst(results: readonly CheckResult[]): CheckStatus {
  const found = new Set(results.map(({ status }) => status))
  return found.has('problem') ? 'problem' : found.has('warning') ? 'warning' : 'ok'
}

/** Returns a line for the check, and one for each named finding. */
function describe({ name, status, message, count, findings }: CheckResult): string {
  const more = count - findings.length
  const rest = findings.length > 0 && more > 0 ? [`… and ${more} more`] : []
  const lines = [...findings, ...rest].map((finding) => `           ${finding}\n`)
  return `${status.padEnd(8)} ${name.padEnd(10)} ${message}\n${lines.join('')}`
}
