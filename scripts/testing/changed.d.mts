/** Types of `changed.mjs`. */
export function testsReaching(
  changed: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
  tests: readonly string[],
  textOf: (path: string) => string,
): { tests: readonly string[]; unreached: readonly string[] }
