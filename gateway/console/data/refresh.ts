import { useEffect, useRef } from 'preact/hooks'
import { failureOf } from './failure.ts'
import type { Resource } from './resource.ts'
import { after } from './timers.ts'

/**
 * Asks again some time after each answer, while the tab is in sight. What the server refuses is not
 * asked again; what merely failed is.
 * @returns the resource as it is shown: looking again dims nothing, and a failure stays until an
 * answer has come.
 */
export function useRefresh<Data>(
  resource: Resource<Data>,
  ms: number,
  isOn = true,
): Resource<Data> {
  const { error, isLoading, isEarlier, reload } = resource
  const last = useRef<unknown>()
  if (error !== undefined || !isLoading) last.current = error
  const kind = error === undefined ? undefined : failureOf(error).kind
  const isFinal = kind === 'forbidden' || kind === 'missing' || kind === 'refused'
  useEffect(() => {
    if (!isOn || isLoading || isFinal) return undefined
    let cancel = () => {}
    const look = () => {
      cancel()
      if (!document.hidden) cancel = after(ms, reload)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      cancel()
      document.removeEventListener('visibilitychange', look)
    }
  }, [ms, isOn, isLoading, isFinal, reload])
  if (!isOn) return resource
  return { ...resource, error: last.current, isStale: isEarlier || last.current !== undefined }
}
