// Turns the declarations of commands.ts into a command line and runs the command. A failure is one line, never a stack.
// Home of yargs.
import yargs, { type Argv, type Options } from 'yargs'
import { readVersion } from '../kernel/executable/assets.ts'
import { escapeControls } from '../kernel/text.ts'
import { findNearest } from '../kernel/input/nearest.ts'
import { explainFileError } from '../kernel/machine/whole-files.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import { type Command, type CommandFlag, Given } from './command.ts'
import { COMMANDS } from './commands.ts'
import { own } from '../kernel/own.ts'

const EMPTY = 'empty: leave it out, or give it a value. Is a variable of the shell not set?'

const NOTES = `A setting is a flag with a value that many commands share, such as --data-dir. A setting can also be a variable, such as PIMLET_DATA_DIR, or a key of the JSON file that --config names. More about a command: pimlet <command> --help`

/** Runs the command that `args` name, and resolves to the exit status. Faults are one line on standard error. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // The program that reads the output may stop early.
  process.stdout.on('error', endWhereNobodyReads)
  try {
    const status = await run(args)
    await untilPrinted()
    return status
  } catch (error) {
    return report(error)
  }
}

/** Prints the fault, and returns the exit status. */
function report(error: unknown): number {
  const line = error instanceof StartError ? error.message : `Unexpected fault: ${String(error)}`
  process.stderr.write(`pimlet: ${escapeControls(line.replaceAll(/\s*\n\s*/g, ' '))}\n`)
  return error instanceof StartError ? error.exitCode : 1
}

function endWhereNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE')
    process.exit(report(new StartError(`Cannot write standard output: ${explainFileError(error)}`, { cause: error })))
}

/** Node reports a failed write later. Without this wait, a command would end with success although its output is lost. */
function untilPrinted(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => setImmediate(resolve))
  })
}

/** The commands and flags that the arguments have selected so far. */
interface Selection {
  /** `pimlet`, with the command or group so far. */
  line: string
  /** Names that may come next. */
  words: readonly string[]
  flags: readonly CommandFlag[]
  argument: string | undefined
}

async function run(args: readonly string[]): Promise<number> {
  let status = 0
  const selection: Selection = { line: 'pimlet', words: namesIn(COMMANDS, 0), flags: [], argument: undefined }
  const parser = yargs([...args])
    .scriptName('pimlet')
    .locale('en')
    .usage('$0 [command] [flags]')
    .parserConfiguration({ 'camel-case-expansion': false, 'boolean-negation': false, 'dot-notation': false })
    .strict()
    .version(readVersion())
    .help()
    .alias('help', 'h')
    .epilogue(NOTES)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      if (error !== undefined && error.name !== 'YError') throw error
      throw new UsageError(explain(message ?? error?.message ?? 'Wrong usage', args, selection))
    })
  const add = (to: Argv, command: Command): void => {
    addCommand(to, command, { args, selection }, async (given) => {
      status = await command.run(given)
    })
  }
  for (const command of COMMANDS) if (!command.name.includes(' ')) add(parser, command)
  for (const group of groupsOf(COMMANDS)) {
    const members = COMMANDS.filter(({ name }) => name.startsWith(`${group} `))
    parser.command(group, members.map(({ description }) => description).join('; '), (at: Argv) => {
      Object.assign(selection, { line: `pimlet ${group}`, words: namesIn(members, 1) })
      for (const member of members) add(at, member)
      return at.demandCommand(1, `Name what to do: pimlet ${group} ${namesIn(members, 1).join(', ')}`)
    })
  }
  await parser.parseAsync()
  return status
}

function groupsOf(commands: readonly Command[]): string[] {
  return [...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]!))]
}

function namesIn(commands: readonly Command[], at: number): string[] {
  return [...new Set(commands.flatMap(({ name }) => name.split(' ')[at] ?? []))]
}

function addCommand(
  to: Argv,
  command: Command,
  { args, selection }: { readonly args: readonly string[]; readonly selection: Selection },
  handle: (given: Given) => Promise<void>,
): void {
  const { argument, flags, description } = command
  const word = command.name.split(' ').at(-1)!
  const isList = argument?.isList === true
  const pattern = argument === undefined ? word : `${word} <${argument.name}${isList ? '..' : ''}>`
  to.command(
    command.isDefault === true ? [pattern, '$0'] : pattern,
    description,
    (at: Argv) => {
      Object.assign(selection, {
        line: command.isDefault === true ? 'pimlet' : `pimlet ${command.name}`,
        words: command.isDefault === true ? selection.words : [],
        flags,
        argument: argument?.name,
      })
      if (argument !== undefined) at.positional(argument.name, { type: 'string', describe: argument.description })
      // Without nargs, yargs turns `-` into an empty text.
      if (argument !== undefined && !isList) at.nargs(argument.name, 1)
      for (const flag of flags) at.option(flag.name, optionsOf(flag))
      at.example(command.examples.map(([line, meaning]) => [line, meaning] as [string, string]))
      return command.notes === undefined ? at : at.epilogue(command.notes)
    },
    async (argv) => {
      assertSwitches(args, flags)
      if (command.reportsFaults !== true) process.on('uncaughtException', (error) => process.exit(report(error)))
      const given = new Given(argv, argument === undefined ? [] : [argv[argument.name]].flat().map(String))
      if (given.listed.includes('')) throw new UsageError(`<${argument?.name}> is ${EMPTY}`)
      assertNoneEmpty(given, flags)
      await handle(given)
    },
  )
}

/** Refuses empty flags: an unset variable of the shell would otherwise select everything. @throws UsageError */
function assertNoneEmpty(given: Given, flags: readonly CommandFlag[]): void {
  for (const { name } of flags)
    if ([own(given.flags, name)].flat().includes('')) throw new UsageError(`--${name} is ${EMPTY}`)
}

/** Refuses values of switches that yargs would read as false. @throws UsageError */
function assertSwitches(args: readonly string[], flags: readonly CommandFlag[]): void {
  for (const { name, isSwitch } of flags) {
    const wrong = args.find((arg) => arg.startsWith(`--${name}=`) && !/=(?:true|false)$/.test(arg))
    if (isSwitch === true && wrong !== undefined)
      throw new UsageError(`--${name} takes no value, or true or false: not '${wrong.slice(name.length + 3)}'`)
  }
}

function optionsOf(flag: CommandFlag): Options {
  const { description, defaultText, choices } = flag
  const shared = { describe: description, defaultDescription: defaultText }
  if (flag.isSwitch === true) return { ...shared, type: 'boolean' }
  if (flag.isList === true) return { ...shared, type: 'array', string: true, requiresArg: true }
  return { ...shared, type: 'string', requiresArg: true, ...(choices === undefined ? {} : { choices }) }
}

/** Turns yargs' message into a helpful one. */
function explain(message: string, args: readonly string[], { line, words, flags, argument }: Selection): string {
  const help = `; see ${line} --help`
  if (message.startsWith('Not enough non-option arguments')) return `${line} needs <${argument}>${help}`
  if (message.startsWith('Too many non-option arguments')) return `${line} takes one <${argument}> only${help}`
  const [, lonely] = /^Not enough arguments following: (\S+)/.exec(message) ?? []
  if (lonely !== undefined) return `--${lonely} needs a value${help}`
  const [, chosen, choices] = /^Invalid values:\s+Argument: (\S+), Given: .*, Choices: (.*)$/s.exec(message) ?? []
  if (choices !== undefined) return `--${chosen} must be one of ${choices.replaceAll('"', '').trim()}`
  const [, unknown] = /^Unknown (?:arguments?|commands?): ([^,]+)/.exec(message) ?? []
  if (unknown === undefined) return message.trim()
  const isFlag = args.some((arg) => arg.startsWith('-') && arg.replace(/^-+/, '').split('=', 1)[0] === unknown)
  const meant = findNearest(unknown, isFlag ? [...flags.map(({ name }) => name), 'help', 'version'] : words)
  if (isFlag) return `Unknown flag --${unknown}${meant === undefined ? help : `; did you mean --${meant}?`}`
  if (meant !== undefined) return `Unknown command ${unknown}; did you mean ${line} ${meant}?`
  return `Unknown ${words.length > 0 ? 'command' : 'argument'} ${unknown}${help}`
}
