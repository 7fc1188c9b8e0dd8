// Runs the action of a button. A message at the lower edge shows a failure, in a sentence and in the server's words.
import { useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'
import { failureText } from './failure-text.ts'

export interface Acting {
  /** True while the action runs; its buttons show that. */
  readonly isBusy: boolean
  /** Resolves with whether the action succeeded. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

export function useActing(): Acting {
  const { status } = useConsole()
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    async act(work) {
      setBusy(true)
      try {
        await work()
        return true
      } catch (error) {
        status.complain(sayFailure(error as Error))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** The failure as one text. */
export function sayFailure(error: Error): string {
  return error instanceof Refusal ? `${failureText(error)} ${error.message}` : failureText(error)
}
