// Use cases of the messenger: setting it up, and trying it. Contract 5 §7.
import type { Caller } from '../core/accounts/caller.ts'
import { conflict, denied, invalid } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Messengers } from '../kernel/messengers.ts'
import type { Store } from '../store/port.ts'
import { MESSENGER_ID, showMessenger, type StoredMessenger } from './rules/messenger-setup.ts'
import { NO_SUMMARY } from './rules/summary.ts'
import { writeTrial } from './rules/summary-text.ts'
import { wordsFor } from './rules/summary-words.ts'
import { readSummaryWords } from './summary-files.ts'

interface MessengerDeps {
  readonly store: Store
  readonly system: System
  readonly messengers: Messengers
  readonly publicUrl: string
}

/** null: the server does not know its own address, only a path. */
export function ownAddress(publicUrl: string): string | null {
  return /^https?:/.test(publicUrl) ? publicUrl : null
}

export function createMessengerService({ store, system, messengers, publicUrl }: MessengerDeps) {
  const show = (stored: StoredMessenger | undefined) => ({
    messenger: stored === undefined ? null : showMessenger(stored),
    types: messengers.list(),
  })

  return {
    get: async () => show(await store.read.messengers.get(MESSENGER_ID)),

    /**
     * Stored secrets are kept where their placeholders are sent.
     * @throws VALIDATION_ERROR naming the field; CONFLICT where somebody else changes it at the same moment
     */
    async set(input: { readonly type: string; readonly config: Readonly<Record<string, unknown>> }) {
      const before = await store.read.messengers.get(MESSENGER_ID)
      const settings = await messengers.prepare(input, before)
      const stored: StoredMessenger = {
        id: MESSENGER_ID,
        ...settings,
        updatedAt: system.now().toISOString(),
        lastSentAt: null,
        lastFailure: null,
      }
      await store.transaction(async (tx) => {
        const present = await tx.messengers.get(MESSENGER_ID)
        if (present?.updatedAt !== before?.updatedAt)
          throw conflict('The messenger was changed meanwhile: read it again')
        await (present === undefined ? tx.messengers.insert(stored) : tx.messengers.update(stored))
      })
      return show(stored)
    },

    delete: (): Promise<void> => store.transaction((tx) => tx.messengers.delete(MESSENGER_ID)),

    /** Sends a trial message to the caller. @throws PERMISSION_DENIED for an API key, VALIDATION_ERROR, CONFLICT */
    async check(caller: Caller, signal: AbortSignal): Promise<{ ok: boolean; message: string }> {
      if (caller.kind !== 'user') throw denied('An API key has no address to send a trial message to')
      const stored = await store.read.messengers.get(MESSENGER_ID)
      if (stored === undefined) throw conflict('No messenger is set up')
      const { email, summary } = (await store.read.noticeSettings.get(caller.id)) ?? {}
      if (email === undefined || email === null) throw invalid('email of your notice settings is missing: add it first')
      const words = wordsFor((summary ?? NO_SUMMARY).language, readSummaryWords())
      const text = writeTrial({ name: caller.name, words, publicUrl: ownAddress(publicUrl) })
      const to = { userId: caller.id, name: caller.name, address: email }
      const { language } = words
      const message = { id: system.newId('msg'), to, language, createdAt: system.now().toISOString(), ...text }
      const fault = await messengers.send(stored, message, signal)
      return fault === undefined
        ? { ok: true, message: `A trial message was sent to ${email}` }
        : { ok: false, message: fault.message }
    },
  }
}
