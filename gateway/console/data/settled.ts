import { useEffect, useState } from 'preact/hooks'
import { after } from './timers.ts'

const SETTLED_MS = 300

/** Text that follows `text` once typing has paused, so that not every key sends a request. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => after(SETTLED_MS, () => setSettled(text)), [text])
  return settled
}
