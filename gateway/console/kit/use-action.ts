import { useState } from 'preact/hooks'
import { type Failure, failureOf } from '../data/failure.ts'
import { toast } from './toasts.tsx'

export type Action = {
  readonly busy: boolean
  /** Failure of the last try. */
  readonly failure: Failure | undefined
  readonly run: (work: () => Promise<void>) => void
}

/**
 * Action of the user: its button is busy meanwhile.
 * @param isShown the page shows the failure itself, such as at a field; else a toast says it.
 */
export function useAction(isShown = false): Action {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      const failed = failureOf(error)
      setFailure(failed)
      if (!isShown) toast(failed.detail, { tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, run: (work) => void run(work) }
}
