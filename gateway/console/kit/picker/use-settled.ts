import { useEffect, useState } from 'preact/hooks'
import { after } from '../../data/timers.ts'

/** Keys that come faster than this ask once. */
const SEARCH_AFTER_MS = 200

/** The text as it was when nobody had typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => after(SEARCH_AFTER_MS, () => setSettled(text)), [text])
  return settled
}
