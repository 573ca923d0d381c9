/** All flags of a project: the first page at once, the others when they are loaded. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { listFeatureFlags } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import type { Flags } from './columns.tsx'

/** As many as the interface lists at once. */
const PAGE = 1000

export type AllFlags = {
  readonly flags: Resource<Flags>
  /** Whether some are still loading. */
  readonly isPart: boolean
  /** Error of the rest. */
  readonly error: unknown
  readonly goOn: () => void
}

export function useAllFlags(project: number): AllFlags {
  const [error, setError] = useState<unknown>()
  const list = (offset: number, signal: AbortSignal) =>
    listFeatureFlags(client, { project_id: project, limit: PAGE, offset }, { signal })
  const flags = useResource(`flags ${project}`, (signal) => list(0, signal))
  const latest = useRef(flags)
  latest.current = flags
  const { data, isStale } = flags
  const held = data?.results.length ?? 0
  const isPart = data !== undefined && !isStale && held < data.count
  const isNext = isPart && error === undefined
  useEffect(() => {
    if (!isNext) return undefined
    const leaving = new AbortController()
    list(held, leaving.signal).then(
      ({ results, count }) => {
        const { data: now, set } = latest.current
        if (leaving.signal.aborted || now === undefined) return
        const known = new Set(now.results.map(({ id }) => id))
        const more = results.filter(({ id }) => !known.has(id))
        // Flags deleted meanwhile make the list shorter than its count.
        const all = [...now.results, ...more]
        set({ ...now, results: all, count: results.length === 0 ? all.length : count })
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setError(error)
      },
    )
    return () => leaving.abort()
  }, [project, held, isNext])
  return { flags, isPart, error, goOn: () => setError(undefined) }
}
