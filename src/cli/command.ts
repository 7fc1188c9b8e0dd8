// What a command is: one declaration, from which the command line parses, refuses and explains. Contract 2 §8.
import type { Flag, GivenFlags } from '../kernel/settings/settings.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'

export interface CommandFlag extends Flag {
  readonly choices?: readonly string[]
}

export interface Command {
  /** One word, or two of which the first is a group: `user set-password`. */
  readonly name: string
  /** Meant where no command is named. */
  readonly isDefault?: boolean
  readonly description: string
  readonly argument?: { readonly name: string; readonly description: string }
  /** Settings that are variables and keys of the config file as well come from `config.ts`. */
  readonly flags: readonly CommandFlag[]
  /** What the help teaches by. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** The end of the help. */
  readonly notes?: string
  /** Reports faults that nobody caught by itself. */
  readonly reportsFaults?: boolean
  /** Resolves to the exit status. @throws StartError */
  readonly run: (given: Given) => Promise<number>
}

/** What the user has given to a command. */
export class Given {
  readonly flags: GivenFlags
  /** Empty where the command takes none. */
  readonly argument: string

  constructor(flags: GivenFlags, argument: string) {
    this.flags = flags
    this.argument = argument
  }

  /** The value of a flag of the command's own. @throws UsageError where it is given more than once */
  text(name: string): string | undefined {
    const value = own(this.flags, name)
    if (Array.isArray(value)) throw new UsageError(`--${name} is given more than once`)
    return typeof value === 'string' ? value : undefined
  }

  isOn(name: string): boolean {
    return [own(this.flags, name)].flat().at(-1) === true
  }
}

/** Says what the user should know, although the command goes on. */
export function warn(message: string): void {
  process.stderr.write(`pimlet: warning: ${message}\n`)
}
