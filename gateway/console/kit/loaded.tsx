import type { ComponentChildren } from 'preact'
import { formatAgo } from '../data/format.ts'
import type { Resource } from '../data/resource.ts'
import { now } from '../data/timers.ts'
import { FailureNote } from './failure.tsx'

type LoadedProps<Data> = {
  readonly of: Resource<Data>
  /** Placeholder, in the final size, of data that were never loaded. */
  readonly skeleton: ComponentChildren
  readonly isEmpty?: (data: Data) => boolean
  /** Reason for no data, and one action. Never shown while loading. */
  readonly empty?: ComponentChildren
  readonly children: (data: Data) => ComponentChildren
}

/** Shows a resource in each of its states. */
export function Loaded<Data>({ of, skeleton, isEmpty, empty, children }: LoadedProps<Data>) {
  const { data, error, isLoading, isStale, at, retryAt, reload } = of
  const failed =
    error === undefined ? null : <FailureNote error={error} retryAt={retryAt} onRetry={reload} />
  if (data === undefined) {
    return (
      failed ?? (
        <div class="waiting" aria-busy={isLoading}>
          {skeleton}
        </div>
      )
    )
  }
  if (!isStale && isEmpty?.(data) === true) return <>{empty}</>
  return (
    <>
      {failed}
      {failed !== null && at !== undefined && <p class="aged">From {formatAgo(at, now())}.</p>}
      <div class={isStale ? 'stale' : undefined} aria-busy={isLoading}>
        {children(data)}
      </div>
    </>
  )
}
