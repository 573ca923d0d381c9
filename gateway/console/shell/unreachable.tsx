import type { ComponentProps } from 'preact'
import { FailureNote } from '../kit/failure.tsx'

/** Page shown when the session could not be loaded. */
export function Unreachable(failure: ComponentProps<typeof FailureNote>) {
  return (
    <main class="alone">
      <h1>Sluice</h1>
      <FailureNote {...failure} />
      <p>
        <a href="/api/docs/">API reference</a>
      </p>
    </main>
  )
}
