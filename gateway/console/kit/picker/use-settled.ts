import { useEffect, useState } from 'preact/hooks'
import { after } from '../../data/timers.ts'

/** Pause in typing, in milliseconds, after which a search is sent. */
const SEARCH_AFTER_MS = 200

/** Text that follows `text` once typing has paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => after(SEARCH_AFTER_MS, () => setSettled(text)), [text])
  return settled
}
