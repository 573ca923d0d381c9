import type { LiveFilter } from './live-hub.ts'
import type { LiveSink } from './live-queue.ts'

/**
 * Gives a sink what the other workers store, until it is closed.
 * @param isFiltered the sink looks at more of each event, and takes more than it shows.
 */
export type PeerEvents = (
  filter: LiveFilter,
  isFiltered: boolean,
  sink: LiveSink,
) => {
  /** Resolves when no event of a worker that was there is missed, or the sink was told of it. */
  readonly ready: Promise<void>
  close(): void
}
