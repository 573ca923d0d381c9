/** Newest event of a project: the stored one, until a newer one arrives. */
import { useEffect, useState } from 'preact/hooks'
import { listEvents } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type LiveEvent, type LiveState, useLive } from '../../data/live.ts'
import { type Resource, useResource } from '../../data/resource.ts'

export type NewestEvent = {
  /** Newest event before this page was opened; null where there was none. */
  readonly before: Resource<LiveEvent | null>
  /** Event that arrived while this page is open. */
  readonly came: LiveEvent | undefined
  readonly state: LiveState
}

/**
 * The list is asked once the stream is open, or has failed: an event that is stored in between is
 * in one of the two.
 */
export function useNewestEvent(project: number): NewestEvent {
  const [came, setCame] = useState<LiveEvent>()
  const [isTried, setTried] = useState(false)
  const before = useResource(isTried ? `newest ${project}` : undefined, (signal) =>
    newest(project, signal),
  )
  const onGap = () => {
    if (isTried) before.reload()
  }
  const { state } = useLive(project, {}, { onEvent: setCame, onGap })
  useEffect(() => {
    if (state !== 'opening') setTried(true)
  }, [state])
  return { before, came, state }
}

async function newest(project: number, signal: AbortSignal): Promise<LiveEvent | null> {
  const input = { project_id: project, limit: 1, shape: 'native' } as const
  const { results } = await listEvents(client, input, { signal })
  // The form of a list without a selection.
  return (results as unknown as readonly LiveEvent[])[0] ?? null
}
