// `npm run check`: runs format, lint and types in parallel. Each output is printed when its step ends, so that outputs
// do not mix.
import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

// The linter reports the errors of the compiler, too: it has read all types anyway, and a compiler of its own takes as long again.
const STEPS = [
  'oxlint --type-aware --type-check --deny-warnings src plugins scripts test pages demo console',
  'oxfmt --check .',
]

/** Resolves to whether the step passed. */
async function run(step: string): Promise<boolean> {
  const child = spawn(`${step} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const output = await text(child.stdout)
  const hasPassed = (await ended) === 0
  console.log(`${hasPassed ? '✔' : '✖'} ${step}`)
  if (!hasPassed) console.log(output)
  return hasPassed
}

// The console and its tests are checked against the generated API types.
const made = spawnSync('node', ['scripts/build/api-types.ts'], { stdio: 'inherit' })
const passed = made.status === 0 && (await Promise.all(STEPS.map(run))).every(Boolean)
process.exitCode = passed ? 0 : 1
