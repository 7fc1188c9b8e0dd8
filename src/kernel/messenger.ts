// A messenger takes daily summaries to people, by mail or otherwise: the one contract between the server, `plugins/messengers/`
// and modules from `--plugins-dir`. Contract 5 §7. Imports types only, so that a plugin can copy the file.
import type { Destination, Network } from './destination.ts'

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

/** The members of the settings mean the same as for a destination. */
export interface Messenger<Config = unknown> extends Pick<
  Destination<Config>,
  'type' | 'title' | 'config' | 'keys' | 'secrets' | 'place'
> {
  /** Resolves when the message is accepted. Throws PermanentError where no retry can help. */
  send(message: Message, config: Config, context: MessengerContext): Promise<void>
}
