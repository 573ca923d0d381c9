import { useEffect, useRef, useState } from 'preact/hooks'
import { getPropagation } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { pause } from '../../data/timers.ts'
import { followChange, type Propagated } from './propagation.ts'

/** Time in milliseconds for which the server waits for missing gateways. */
const WAIT_MS = 1_000

/** @returns the propagation of the newest change, and a function that follows another change. */
export function usePropagation(project: number): readonly [Propagated | undefined, () => void] {
  const [known, setKnown] = useState<Propagated>()
  const following = useRef<AbortController>()
  useEffect(() => () => following.current?.abort(), [])
  const follow = () => {
    following.current?.abort()
    const leaving = new AbortController()
    const { signal } = leaving
    following.current = leaving
    const tell = (next: Propagated) => {
      if (!signal.aborted) setKnown(next)
    }
    tell({ kind: 'asking' })
    followChange({
      ask: (revision) => {
        const question = { project_id: project, wait_ms: WAIT_MS }
        const asked = revision === undefined ? question : { ...question, revision }
        return getPropagation(client, asked, { signal })
      },
      pause: (ms) => pause(ms, signal),
      tell,
    }).catch(() => {
      // The change itself succeeded, even if its propagation is unknown.
      tell({ kind: 'unknown' })
    })
  }
  return [known, follow]
}
