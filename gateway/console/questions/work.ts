import { useState } from 'preact/hooks'
import { type Failure, failureOf } from '../data/failure.ts'

/** Something under way, and why it failed. */
export function useWork(): {
  readonly busy: boolean
  readonly failure: Failure | undefined
  readonly run: (work: () => Promise<void>) => Promise<void>
} {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, run }
}
