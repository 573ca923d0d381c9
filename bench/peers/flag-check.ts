/** The flags on for one user each, of users that differ in nothing but their name. */
export type FlagsOfUsers = readonly ReadonlySet<string>[]

/**
 * Whether a server evaluates the flags of `ensureFlags` as they were meant: on for everybody, for
 * about half, or for nobody without stored properties. Two servers hash differently, so which half
 * is not compared. The answer says what is wrong, or `undefined`.
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
      // Half of 64 users: further off once in a hundred thousand flags, and hashes are fixed.
      return [0.2, 0.8]
    case 2:
      return [0, 0]
    default:
      return [1, 1]
  }
}
