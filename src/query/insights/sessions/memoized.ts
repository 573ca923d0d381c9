/** Values by the numbers of members and items, of which many sessions have the same ones. */

/** Numbers of blocks are places in lists, those of a store are hashes. */
const LISTED = 1_048_576

/** @param make called once for each number, with the first thing that has it. */
export function memoized<T extends object | boolean | null, From>(
  make: (number: number, from: From) => T,
): (number: number, from: From) => T {
  const listed: (T | undefined)[] = []
  const others = new Map<number, T>()
  return (number, from) => {
    const isListed = number >= 0 && number < LISTED
    const known = isListed ? listed[number] : others.get(number)
    if (known !== undefined) return known
    const made = make(number, from)
    if (isListed) listed[number] = made
    else others.set(number, made)
    return made
  }
}
