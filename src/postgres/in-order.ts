/** Answers of a statement that reads what several keys name. */

/** The place, from 1 on, of the key that a row answers: `with ordinality`. */
export type Nth = { readonly nth: number }

/** The row of each key, at most one; undefined where there is none. */
export function inOrder<Row>(
  keys: readonly unknown[],
  rows: readonly (Row & Nth)[],
): readonly (Row | undefined)[] {
  const found: (Row | undefined)[] = keys.map(() => undefined)
  for (const { nth, ...row } of rows) found[nth - 1] = row as Row
  return found
}
