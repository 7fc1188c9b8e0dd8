// What a messenger is: the way of daily summaries to people, by mail or otherwise. The one contract between the server and
// `plugins/messengers/`, and modules from `--plugins-dir`. Contract 5 §7. Imports types only, so that a plugin can copy it.
import type { ConfigSchema, Network, Place } from './destination.ts'

export interface Message {
  /** The same for every attempt, so that a receiver can drop the second one. */
  readonly id: string
  readonly to: { readonly userId: string; readonly name: string; readonly address: string }
  /** `en`, `de`, … */
  readonly language: string
  /** One line. */
  readonly subject: string
  /** Plain text. It says how to switch the messages off. */
  readonly text: string
  /** The same as a whole HTML page without scripts, styles and pictures. */
  readonly html: string
  /** The page where the person switches the messages off; null: the server does not know its own address. */
  readonly settingsUrl: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface MessengerContext {
  /** Aborted when the time of the attempt is over, or the server stops. Every wait must end with it. */
  readonly signal: AbortSignal
  /** The only way out: it decides which addresses may be reached. */
  readonly network: Network
  /** A line in the server's log. Known secrets are blotted out. */
  log(message: string): void
}

export interface Messenger<Config = unknown> {
  readonly type: string
  /** What people call it; without it the type. */
  readonly title?: string
  /** Checked when an administrator saves it. */
  readonly config: ConfigSchema<Config>
  /** All keys of the config: with them a misspelt one is refused. */
  readonly keys?: readonly string[]
  /** As of `Destination`. */
  readonly secrets?: readonly string[]
  /** As of `Destination`. */
  place?(config: Config): Place | Promise<Place>
  /** Resolves when the message is accepted. Throws PermanentError where no retry can help. */
  send(message: Message, config: Config, context: MessengerContext): Promise<void>
}
