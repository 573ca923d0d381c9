/** Caches the answers of pure functions. */
import { createBoundedMap } from '../../core/bounded-map.ts'

/** Caches the answers of a pure function for the short texts that were used last. */
export function remembering<T>(
  { entriesMax, charsMax }: { readonly entriesMax: number; readonly charsMax: number },
  make: (text: string) => T,
): (text: string) => T {
  const known = createBoundedMap<string, { readonly made: T }>({ entriesMax })
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.made
    const made = make(text)
    if (text.length <= charsMax) known.set(text, { made })
    return made
  }
}
