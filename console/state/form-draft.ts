// The draft of a form: the tab stores it by user and form, so that neither navigation nor the end of the session loses
// it. JSON only, and never secrets.
import { useState } from 'preact/hooks'
import { isSameValue } from '../../src/kernel/text.ts'
import { forget, keep, kept } from './browser.ts'
import { useConsole } from './context.ts'

const PREFIX = 'pimlet-form:'

export interface FormDraft<Value> {
  readonly value: Value
  readonly isChanged: boolean
  /** True: the stored version has changed since the draft began. */
  readonly isOutdated: boolean
  readonly put: (changes: Partial<Value>) => void
  /** Discards the draft, also after it was saved. */
  readonly drop: () => void
}

interface Kept<Value> {
  readonly value: Value
  /** The stored version when the draft began. */
  readonly base: Value
}

/** @param stored the edited object; for a new object, the initial values of the form */
export function useFormDraft<Value extends object>(form: string, stored: Value): FormDraft<Value> {
  const { browser, session } = useConsole()
  const key = `${PREFIX}${session.user.value?.id} ${form}`
  const [, setVersion] = useState(0)
  const draft = readDraft<Value>(kept(browser.own, key))
  const value = draft?.value ?? stored
  const show = () => setVersion((version) => version + 1)
  return {
    value,
    isChanged: draft !== undefined && !isSameValue(value, stored),
    isOutdated: draft !== undefined && !isSameValue(draft.base, stored),
    put(changes) {
      const before = readDraft<Value>(kept(browser.own, key))
      keep(browser.own, key, { value: { ...(before?.value ?? stored), ...changes }, base: before?.base ?? stored })
      show()
    },
    drop() {
      forget(browser.own, key)
      show()
    },
  }
}

function readDraft<Value>(found: unknown): Kept<Value> | undefined {
  return typeof found === 'object' && found !== null && 'value' in found ? (found as Kept<Value>) : undefined
}
