// The command line as a whole: every command explains itself by example, and wrong usage is one line that helps.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { runCommand } from '../helpers/command.ts'
import { PROGRAM } from '../helpers/program.ts'

async function assertRefused(args: readonly string[], ...named: string[]): Promise<void> {
  const { status, stdout, stderr } = await runCommand(args)
  assert.deepEqual([status, stdout], [2, ''], stderr)
  assert.match(stderr, /^pimlet: [^\n]+\n$/)
  for (const name of named) assert.ok(stderr.includes(name), `'${stderr}' does not name ${name}`)
}

describe('The command line', { timeout: 600_000 }, () => {
  it('--help lists every command, and --help of each teaches by examples of its own', async () => {
    const help = await runCommand(['--help'])
    assert.equal(help.status, 0)
    for (const { name } of COMMANDS) assert.ok(help.stdout.includes(`pimlet ${name.split(' ')[0]}`), name)
    await Promise.all(
      COMMANDS.map(async ({ name, flags, examples, argument }) => {
        const { status, stdout, stderr } = await runCommand([...name.split(' '), '--help'])
        assert.deepEqual([status, stderr], [0, ''], name)
        for (const flag of flags) assert.ok(stdout.includes(`--${flag.name} `), `${name} --${flag.name}`)
        if (argument !== undefined)
          assert.ok(stdout.includes(`<${argument.name}${argument.isList === true ? '..' : ''}>`), name)
        assert.ok(examples.length > 0, name)
        for (const [line] of examples) {
          assert.ok(line.includes('pimlet'), line)
          assert.ok(stdout.includes(line.split(' ')[0]!), line)
        }
      }),
    )
  })

  it('names, descriptions and flags of commands are told apart', () => {
    assert.equal(new Set(COMMANDS.map(({ name }) => name)).size, COMMANDS.length)
    for (const { name, flags, description } of COMMANDS) {
      assert.equal(new Set(flags.map((flag) => flag.name)).size, flags.length, name)
      assert.match(description, /^[A-Z].*[^.]$/)
    }
  })

  it('wrong usage is status 2, in one line with the right word where there is one', async () => {
    await Promise.all([
      assertRefused(['imprt', 'x'], 'Unknown command imprt', 'pimlet import'),
      assertRefused(['nonsense'], 'Unknown command nonsense', 'pimlet --help'),
      assertRefused(['--prot', '1'], 'Unknown flag --prot', '--port'),
      assertRefused(['import', 'x', '--dri-run'], '--dri-run', '--dry-run'),
      assertRefused(['import', 'x', '--port', '1'], 'Unknown flag --port', 'pimlet import --help'),
      assertRefused(['import'], 'pimlet import needs <file>'),
      assertRefused(['import', 'x', 'y'], 'Unknown argument y'),
      assertRefused(['import', 'x', '--mode', 'all'], '--mode must be one of create, upsert'),
      assertRefused(['import', 'x', '--url'], '--url needs a value'),
      assertRefused(['export', '--format', 'csv', '--format', 'xml', '--api-key', 'k'], '--format', 'more than once'),
    ])
  })

  it('a switch takes true or false alone', async () => {
    await Promise.all([
      assertRefused(['--no-console=maybe', '--data-dir', '/nowhere/x'], '--no-console', "'maybe'"),
      assertRefused(['import', 'x.csv', '--dry-run=1'], '--dry-run', "'1'"),
      assertRefused(['export', '--out', 'x.csv', '--force=yes'], '--force', "'yes'"),
    ])
  })

  it('says so in English whatever the language of the machine', async () => {
    const { stderr } = await runCommand(['--prot', '1'], { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' } })
    assert.match(stderr, /Unknown flag --prot; did you mean --port/)
  })

  it('ends quietly where nobody reads what it prints', async () => {
    const child = spawn(process.execPath, [PROGRAM, '--help'])
    child.stdout.destroy()
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    await once(child, 'close')
    assert.equal(errors, '')
  })

  it(
    'fails in one line where its output cannot be written',
    { skip: !existsSync('/dev/full') && 'there is no /dev/full' },
    async () => {
      const full = openSync('/dev/full', 'w')
      const run = async (args: string[]): Promise<[number | null, string]> => {
        const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', full, 'pipe'] })
        const [errors] = await Promise.all([text(child.stderr!), once(child, 'close')])
        return [child.exitCode, errors]
      }
      const found = await Promise.all([run(['--version']), run(['openapi']), run(['backup', '--help'])])
      closeSync(full)
      const told = [1, 'pimlet: Cannot write standard output: no space left on device\n']
      assert.deepEqual(found, [told, told, told])
    },
  )
})
