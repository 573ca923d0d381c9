import { useEffect, useRef } from 'preact/hooks'
import { failureOf } from './failure.ts'
import type { Resource } from './resource.ts'
import { afterInSight } from './timers.ts'

/**
 * Polls a resource while the tab is in sight: some time after each answer, and after a failure that
 * the resource does not retry by itself and the server did not mean as a refusal.
 * @returns the resource as it is shown: polling dims nothing, and a failure stays until the next
 * answer.
 */
export function useRefresh<Data>(
  resource: Resource<Data>,
  ms: number,
  isOn = true,
): Resource<Data> {
  const { error, retryAt, isLoading, isEarlier, reload } = resource
  const last = useRef<unknown>()
  if (error !== undefined || !isLoading) last.current = error
  const isPolled = error === undefined || (retryAt === undefined && isBroken(error))
  useEffect(() => {
    if (!isOn || isLoading || !isPolled) return undefined
    return afterInSight(ms, reload)
  }, [ms, isOn, isLoading, isPolled, reload])
  if (!isOn) return resource
  return { ...resource, error: last.current, isStale: isEarlier || last.current !== undefined }
}

function isBroken(error: unknown): boolean {
  return failureOf(error).kind === 'broken'
}
