/** Checks that both servers of a comparison evaluate the flags as intended. */

/** For each user the flags that are on. Users differ only in their names. */
export type FlagsOfUsers = readonly ReadonlySet<string>[]

/**
 * Whether a server evaluates the flags of `ensureFlags` as intended: on for everybody, for about
 * half, or for nobody without stored properties. Two servers hash differently, so it is not
 * compared which half. Returns what is wrong as a sentence, or `undefined`.
 */
export function wrongFlags(users: FlagsOfUsers, flags: number): string | undefined {
  for (let number = 1; number <= flags; number++) {
    const name = `bench-flag-${number}`
    const share = users.filter((on) => on.has(name)).length / users.length
    const [low, high] = expectedShare(number)
    if (!(share >= low && share <= high)) return `${name} is on for ${share * 100} % of users`
  }
  return undefined
}

function expectedShare(number: number): [low: number, high: number] {
  switch (number % 5) {
    case 1:
      // Half of 64 users: chance leaves these bounds once in 100,000 flags, and hashes are fixed.
      return [0.2, 0.8]
    case 2:
      return [0, 0]
    default:
      return [1, 1]
  }
}
