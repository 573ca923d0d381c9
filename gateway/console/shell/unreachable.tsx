import { FailureNote } from '../kit/failure.tsx'

type UnreachableProps = { readonly error: unknown; readonly onRetry: () => void }

/** Nothing could be asked: not even who is here. */
export function Unreachable({ error, onRetry }: UnreachableProps) {
  return (
    <main class="alone">
      <h1>Sluice</h1>
      <FailureNote error={error} onRetry={onRetry} />
      <p>
        The interface has <a href="/api/docs/">its reference</a>.
      </p>
    </main>
  )
}
