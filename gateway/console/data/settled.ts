import { useEffect, useState } from 'preact/hooks'
import { after } from './timers.ts'

const SETTLED_MS = 300

/** The text once it has not changed for a moment: a question is asked when typing rests. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => after(SETTLED_MS, () => setSettled(text)), [text])
  return settled
}
