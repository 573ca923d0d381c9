import { useLayoutEffect, useState } from 'preact/hooks'
import type { Shared } from './shared.ts'

/** The value, followed while the component is there. */
export function useShared<Value>(of: Shared<Value>): Value {
  const [, draw] = useState(of.value)
  useLayoutEffect(() => {
    // It may have changed since the component was drawn.
    draw(of.value)
    return of.subscribe(draw)
  }, [of])
  return of.value
}
