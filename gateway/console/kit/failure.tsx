import { useEffect, useState } from 'preact/hooks'
import { type Failure, failureOf } from '../data/failure.ts'
import { after } from '../data/timers.ts'
import { Button } from './button.tsx'

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'You are offline',
  busy: 'The server is busy',
  forbidden: 'You may not see this',
  missing: 'This does not exist',
  refused: 'This question was refused',
  broken: 'This did not work',
}

type FailureProps = {
  readonly error: unknown
  /** Asks again, with the same request. */
  readonly onRetry: () => void
}

/** Says what failed in the interface's words, and asks again by hand or when the server said. */
export function FailureNote({ error, onRetry }: FailureProps) {
  const failure = failureOf(error)
  return (
    <div class="failure" role="alert">
      <h2>{TITLES[failure.kind]}</h2>
      <p>{failure.detail}</p>
      <p class="failure-code">
        <code>{failure.code}</code>
        {failure.attr !== null && (
          <>
            {' at '}
            <code>{failure.attr}</code>
          </>
        )}
      </p>
      <RetryButton waitS={failure.retryAfterS} key={String(error)} onRetry={onRetry} />
    </div>
  )
}

type RetryProps = { readonly waitS: number | undefined; readonly onRetry: () => void }

function RetryButton({ waitS, onRetry }: RetryProps) {
  const [left, setLeft] = useState(waitS)
  useEffect(() => {
    if (left === undefined) return undefined
    if (left > 0) return after(1000, () => setLeft(left - 1))
    onRetry()
    return undefined
  }, [left, onRetry])
  const counts = left !== undefined && left > 0
  return (
    <Button tone="plain" onClick={onRetry}>
      Try again{counts && <span class="failure-count"> (by itself in {left} s)</span>}
    </Button>
  )
}
