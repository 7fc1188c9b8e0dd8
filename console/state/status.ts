// Short messages about recent events, which screen readers read aloud; errors stay until they are closed.
import { signal } from '@preact/signals'
import type { Timers } from './browser.ts'

const SHOWN = 6000
const MAX_MESSAGES = 4

interface Message {
  readonly id: number
  readonly text: string
  readonly kind: 'told' | 'bad'
  /** The one action that the message offers. */
  readonly action: { readonly title: string; readonly run: () => void } | undefined
}

export class Status {
  readonly #timers: Timers
  #last = 0
  readonly messages = signal<readonly Message[]>([])

  constructor(timers: Timers) {
    this.#timers = timers
  }

  tell(text: string, action?: Message['action']): void {
    const id = this.#add(text, 'told', action)
    this.#timers.after(SHOWN, () => this.close(id))
  }

  /** Shows a failure, until the user closes it. */
  complain(text: string, action?: Message['action']): void {
    this.#add(text, 'bad', action)
  }

  close(id: number): void {
    this.messages.value = this.messages.peek().filter((message) => message.id !== id)
  }

  #add(text: string, kind: Message['kind'], action: Message['action']): number {
    this.#last += 1
    // A message replaces an earlier message with which its text begins.
    const others = this.messages.peek().filter((message) => !text.startsWith(message.text))
    this.messages.value = [...others, { id: this.#last, text, kind, action }].slice(-MAX_MESSAGES)
    return this.#last
  }
}
