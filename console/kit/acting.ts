// Runs the work of a button or a form, and shows its failure: a message at the lower edge, or text in the form.
import { useState } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { useConsole } from '../state/context.ts'
import { sayFailure } from './failure-text.ts'

export interface Acting {
  /** True while the work runs, as its buttons show. */
  readonly isBusy: boolean
  /** Resolves with whether the work succeeded. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

export interface Saving extends Acting {
  /** The failure of the last work, until other work begins. */
  readonly error: Error | undefined
  readonly forgetError: () => void
}

/** A message at the lower edge shows a failure. */
export function useActing(): Acting {
  const { status } = useConsole()
  return useWork((error) => error && status.complain(sayFailure(error)))
}

/** The form shows a failure. */
export function useSaving(): Saving {
  const [error, setError] = useState<Error | undefined>(undefined)
  return { ...useWork(setError), error, forgetError: () => setError(undefined) }
}

/** @param tell called with no error when work begins */
function useWork(tell: (error?: Error) => void): Acting {
  const { cache } = useConsole()
  const [isBusy, setBusy] = useState(false)
  return {
    isBusy,
    async act(work) {
      setBusy(true)
      tell()
      try {
        await work()
        return true
      } catch (error) {
        tell(error as Error)
        // The object is removed: the page reads itself again, and reports the removal.
        if (error instanceof Refusal && error.status === 404) cache.refreshAll('')
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
