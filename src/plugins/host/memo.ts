/**
 * Remembers what a pure function answers to short texts, and forgets all of it once there is too
 * much: what comes often is soon known again.
 */
export function remembering<T>(
  { entriesMax, charsMax }: { readonly entriesMax: number; readonly charsMax: number },
  make: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, { readonly made: T }>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.made
    const made = make(text)
    if (text.length > charsMax) return made
    if (known.size >= entriesMax) known.clear()
    known.set(text, { made })
    return made
  }
}
