// All available commands, by name and by key: each place registers its own while it is shown. The command line, the
// help for keys and the key handler read this list.
import { computed, signal } from '@preact/signals'
import type { Picture } from './pictures.ts'
import { fold } from './fold.ts'

export interface Command {
  readonly id: string
  /** In the current language. */
  readonly title: () => string
  /** `ctrl+k`, `g r`, `e`, `f8`; `ctrl` is Cmd on a Mac. */
  readonly keys?: string | undefined
  /** The group in the help of keys; `here` is the shown place. */
  readonly group: 'general' | 'places' | 'here'
  /** False: the command is absent, because the role may never use it. */
  readonly isThere?: () => boolean
  /** The reason why the command is closed now; undefined: it is open. */
  readonly closedBecause?: () => string | undefined
  /** Not in the command line: for example, keys that move the focus. */
  readonly isKeyOnly?: boolean
  readonly run: () => void
}

/** Finds more entries for the typed text, for example records. */
export type CommandSource = (text: string, signal: AbortSignal) => Promise<readonly FoundCommand[]>

export interface FoundCommand {
  readonly id: string
  readonly title: string
  /** The kind of the entry, and the place of the match. */
  readonly detail: string
  readonly picture?: Picture | null | undefined
  readonly run: () => void
}

export class Commands {
  readonly #commands = signal<readonly Command[]>([])
  readonly #sources = new Set<CommandSource>()
  /** The available commands; of equal IDs the last registered wins. */
  readonly list = computed(() => {
    const byId = new Map(this.#commands.value.map((command) => [command.id, command]))
    return [...byId.values()].filter(({ isThere }) => isThere?.() !== false)
  })

  /** Returns a function that removes the commands. */
  register(commands: readonly Command[]): () => void {
    this.#commands.value = [...this.#commands.peek(), ...commands]
    return () => {
      this.#commands.value = this.#commands.peek().filter((command) => !commands.includes(command))
    }
  }

  addSource(source: CommandSource): () => void {
    this.#sources.add(source)
    return () => this.#sources.delete(source)
  }

  /** Returns commands whose names contain every word of the text; names that begin with the text come first. */
  find(text: string): Command[] {
    const words = fold(text).split(/\s+/).filter(Boolean)
    const rank = (command: Command) => (fold(command.title()).startsWith(words[0] ?? '') ? 0 : 1)
    return this.list.value
      .filter(({ isKeyOnly }) => isKeyOnly !== true)
      .filter((command) => words.every((word) => fold(command.title()).includes(word)))
      .sort((one, other) => rank(one) - rank(other))
  }

  async findMore(text: string, stop: AbortSignal): Promise<FoundCommand[]> {
    const found = await Promise.all([...this.#sources].map((source) => source(text, stop).catch(() => [])))
    return found.flat()
  }
}
