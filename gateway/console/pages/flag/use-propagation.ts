import { useEffect, useRef, useState } from 'preact/hooks'
import { getPropagation } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { pause } from '../../data/timers.ts'
import { followChange, type Propagated } from './propagation.ts'

/** How long the server waits for gateways that are missing. */
const WAIT_MS = 1_000

/** @returns what is known of the newest change, and what begins to follow another one. */
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
      // The change is made. That nobody says how far it has come is no failure of it.
      tell({ kind: 'unknown' })
    })
  }
  return [known, follow]
}
