/** Types of `costs.mjs`. */
export function longestFirst(
  paths: readonly string[],
  costs?: Readonly<Record<string, number>>,
): string[]
