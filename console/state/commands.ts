// Everything that can be done from here, by name and by key: each place registers its own while it is shown. The command line, the
// help of keys and the keys themselves read this list.
import { computed, signal } from '@preact/signals'

export interface Command {
  readonly id: string
  /** In the present language. */
  readonly title: () => string
  /** `ctrl+k`, `g r`, `e`, `f8`; `ctrl` is Cmd on a Mac. */
  readonly keys?: string
  /** Where the help of keys lists it; `here` is the place that is shown. */
  readonly group: 'general' | 'places' | 'here'
  /** Absent where this is false: what a role may never do. */
  readonly isThere?: () => boolean
  /** Why it is closed at the moment; undefined: it is open. */
  readonly closedBecause?: () => string | undefined
  /** Not in the command line: moving about, for one. */
  readonly isKeyOnly?: boolean
  readonly run: () => void
}

/** Finds more for what was typed, records for one. */
export type CommandSource = (text: string, signal: AbortSignal) => Promise<readonly FoundCommand[]>

export interface FoundCommand {
  readonly id: string
  readonly title: string
  /** What kind of thing it is, and where the text was found. */
  readonly detail: string
  readonly run: () => void
}

export class Commands {
  readonly #commands = signal<readonly Command[]>([])
  readonly #sources = new Set<CommandSource>()
  /** What is there; of the same ID the last registered. */
  readonly list = computed(() => {
    const byId = new Map(this.#commands.value.map((command) => [command.id, command]))
    return [...byId.values()].filter(({ isThere }) => isThere?.() !== false)
  })

  /** The answer takes them back. */
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

  /** Commands whose names have all words of the text, those that begin with it first. */
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

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
