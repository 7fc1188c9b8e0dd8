// Declares a command, from which the command line parses, validates and explains its input. Contract 2 §8.
import type { Flag, GivenFlags } from '../kernel/settings/settings.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import { own } from '../kernel/own.ts'

export interface CommandFlag extends Flag {
  readonly choices?: readonly string[]
}

export interface Command {
  /** One word, or a group and a word: `user set-password`. */
  readonly name: string
  /** Whether this command runs if none is named. */
  readonly isDefault?: boolean
  readonly description: string
  /** `isList`: several may be given. */
  readonly argument?: { readonly name: string; readonly description: string; readonly isList?: boolean }
  /** Settings that are also variables and keys of the config file come from `config.ts`. */
  readonly flags: readonly CommandFlag[]
  /** Examples in the help. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** Text at the end of the help. */
  readonly notes?: string
  /** Whether the command reports uncaught faults itself. */
  readonly reportsFaults?: boolean
  /** Resolves to the exit status. @throws StartError */
  readonly run: (given: Given) => Promise<number>
}

/** The flags and argument that the user has given to a command. */
export class Given {
  readonly flags: GivenFlags
  /** Empty if the command takes no argument. */
  readonly argument: string
  /** All arguments of the command; `argument` is the first of them. */
  readonly listed: readonly string[]

  constructor(flags: GivenFlags, listed: readonly string[]) {
    this.flags = flags
    this.argument = listed[0] ?? ''
    this.listed = listed
  }

  /** Returns the value of a flag of the command itself. @throws UsageError where the flag is given more than once */
  text(name: string): string | undefined {
    const value = own(this.flags, name)
    if (Array.isArray(value)) throw new UsageError(`--${name} is given more than once`)
    return typeof value === 'string' ? value : undefined
  }

  isOn(name: string): boolean {
    return [own(this.flags, name)].flat().at(-1) === true
  }
}

/** Warns the user; the command continues. */
export function warn(message: string): void {
  process.stderr.write(`pimlet: warning: ${message}\n`)
}
