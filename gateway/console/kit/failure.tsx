import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Failure, failureOf } from '../data/failure.ts'
import { after, tick } from '../data/timers.ts'
import { Button } from './button.tsx'

const TITLES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection',
  busy: 'The server is busy',
  forbidden: 'You have no access to this',
  missing: 'Not found',
  refused: 'This query was refused',
  broken: 'Something went wrong',
}

type RetryProps = {
  /** Time of the automatic retry, on the clock of `tick`. */
  readonly retryAt?: number | undefined
  /** Sends the same request again. */
  readonly onRetry: () => void
}

/** A failed request in the interface's words, with a button to send it again. */
export function FailureNote({ error, ...retry }: RetryProps & { readonly error: unknown }) {
  const { kind, detail, code, attr } = failureOf(error)
  return (
    <Note title={TITLES[kind]} {...retry}>
      <p>{detail}</p>
      <p class="failure-code">
        <code>{code}</code>
        {attr !== null && (
          <>
            {' at '}
            <code>{attr}</code>
          </>
        )}
      </p>
    </Note>
  )
}

/** Code that could not be loaded or run. Where a new version replaced it, only a reload helps. */
export function CodeFailure({ retryAt }: Pick<RetryProps, 'retryAt'>) {
  return (
    <Note title={TITLES.broken} retryAt={retryAt} onRetry={() => location.reload()}>
      <p>The server cannot be reached, or it was updated since the console was loaded.</p>
    </Note>
  )
}

type NoteProps = RetryProps & { readonly title: string; readonly children: ComponentChildren }

function Note({ title, children, retryAt, onRetry }: NoteProps) {
  return (
    <div class="failure" role="alert">
      <h2>{title}</h2>
      {children}
      <Button tone="plain" onClick={onRetry}>
        Try again{retryAt !== undefined && <Countdown to={retryAt} />}
      </Button>
    </div>
  )
}

function Countdown({ to }: { readonly to: number }) {
  const [at, setAt] = useState(tick)
  const left = Math.ceil((to - at) / 1000)
  useEffect(() => (left > 0 ? after(1000, () => setAt(tick())) : undefined), [at, left])
  return left > 0 ? <span class="failure-count"> (by itself in {left} s)</span> : null
}
