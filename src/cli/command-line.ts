// The command line: which commands there are, and how a failure ends. Decisions §8. Home of yargs.
import yargs from 'yargs'
import { readVersion } from '../assets.ts'
import { FLAGS, readConfig, readFirstStartSecrets, suggest } from '../config.ts'
import { StartError, UsageError } from '../start-error.ts'
import { EXPORT_FLAGS, exportCommand } from './export.ts'
import { IMPORT_FLAGS, importCommand } from './import.ts'
import { openapiCommand } from './openapi.ts'
import { serve } from './serve.ts'

const EXAMPLES: [string, string][] = [
  ['pimlet --data-dir ./data', 'Serve the workspace in ./data on http://127.0.0.1:8080'],
  ['pimlet --data-dir ./data --port 0', 'The same on a free port, which it prints'],
  ['PIMLET_DATA_DIR=./data pimlet', 'Every flag can be a variable'],
]

/** Runs the command that `args` name, and resolves to the exit status. Faults are one line on standard error. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    return await run(args)
  } catch (error) {
    const line = error instanceof StartError ? error.message : `Unexpected fault: ${String(error)}`
    process.stderr.write(`pimlet: ${line.replaceAll(/\s*\n\s*/g, ' ')}\n`)
    return error instanceof StartError ? error.exitCode : 1
  }
}

async function run(args: readonly string[]): Promise<number> {
  let status = 0
  const parser = yargs([...args])
    .scriptName('pimlet')
    .usage('$0 [serve] --data-dir DIR')
    .parserConfiguration({ 'camel-case-expansion': false, 'boolean-negation': false, 'dot-notation': false })
    .command(
      ['serve', '$0'],
      'Serve a workspace over HTTP',
      (command) => {
        for (const flag of FLAGS)
          command.option(flag.name, {
            describe: flag.description,
            defaultDescription: flag.defaultText,
            requiresArg: true,
            ...(flag.isList === true ? { type: 'array', string: true } : { type: 'string' }),
          })
        return command.example(EXAMPLES)
      },
      async (argv) => {
        status = await serve(readConfig(argv), readFirstStartSecrets())
      },
    )
    .command(importCommand)
    .command(exportCommand)
    .command(openapiCommand)
    .strict()
    .version(readVersion())
    .help()
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error instanceof StartError ? error : new UsageError(explain(message ?? String(error)))
    })
  await parser.parseAsync()
  return status
}

const FLAG_NAMES = [
  ...new Set([
    ...FLAGS.map(({ name }) => name),
    ...Object.keys({ ...IMPORT_FLAGS, ...EXPORT_FLAGS }),
    'help',
    'version',
  ]),
]

function explain(message: string): string {
  if (message.startsWith('Not enough non-option arguments')) return 'An argument is missing; see pimlet --help'
  const [, flagName, choices] = /^Invalid values:\s+Argument: (\S+), Given: .*, Choices: (.*)$/s.exec(message) ?? []
  if (choices !== undefined) return `--${flagName} must be one of ${choices.replaceAll('"', '').trim()}`
  const unknown = /^Unknown arguments?: ([^\s,]+)/.exec(message)?.[1]
  if (unknown === undefined) return message.trim()
  const flag = suggest(unknown, FLAG_NAMES)
  if (flag !== undefined) return `Unknown flag --${unknown}; did you mean --${flag}?`
  return `Unknown argument ${unknown}; see pimlet --help`
}
