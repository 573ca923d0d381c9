/** Answers of functions that give the same to the same text each time. */
import { createBoundedMap } from '../bounded-map.ts'

/**
 * The same function, which works each text out once while its answer is kept.
 * @param work depends on the text alone, so a kept answer is never wrong and costs only memory.
 */
export function remembered<V extends object | boolean>(
  entriesMax: number,
  work: (text: string) => V,
): (text: string) => V {
  const kept = createBoundedMap<string, V>({ entriesMax })
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    const answer = work(text)
    kept.set(text, answer)
    return answer
  }
}
