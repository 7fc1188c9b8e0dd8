// The installed messengers, as parts of the server use them. `src/exports/messengers/` implements it. Contract 5 §7.
import type { Message } from './messenger.ts'

type Settings = Readonly<Record<string, unknown>>

/** The settings of a messenger as they are stored. */
export interface MessengerSettings {
  readonly type: string
  /** Without secrets. */
  readonly config: Settings
  /** Encrypted. */
  readonly secrets: Readonly<Record<string, string>>
}

interface MessengerFacts {
  readonly type: string
  readonly title: string
  /** As of `Messenger`. */
  readonly secrets: readonly string[]
}

export interface SendingFault {
  /** A sentence without secrets. */
  readonly message: string
  /** No retry can help. */
  readonly isPermanent: boolean
}

export interface Messengers {
  /** All that are installed. */
  list(): readonly MessengerFacts[]
  /**
   * The settings to store; placeholders stand for secrets of `before` to keep.
   * @throws VALIDATION_ERROR naming the field: a wrong value, or an address that may not be reached
   * @throws VALIDATION_ERROR for a placeholder of a secret that is not stored or would be sent elsewhere
   */
  prepare(
    sent: { readonly type: string; readonly config: Settings },
    before: MessengerSettings | undefined,
  ): Promise<MessengerSettings>
  /** One attempt, which has an end. Undefined: the message was accepted. Rejects with the signal's reason only. */
  send(settings: MessengerSettings, message: Message, signal: AbortSignal): Promise<SendingFault | undefined>
}
