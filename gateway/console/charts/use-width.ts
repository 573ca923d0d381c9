import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const BEFORE_PX = 640

/** The width of an element, followed while it changes. */
export function useWidth(): readonly [RefObject<HTMLDivElement>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(BEFORE_PX)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    setWidth(element.clientWidth)
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return [ref, width]
}
