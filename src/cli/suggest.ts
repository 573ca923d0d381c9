/** Suggestions for a mistyped name. */

/** One sentence about an unknown command, with similar names. */
export function unknownCommand(typed: string, names: readonly string[]): string {
  const meant = suggest(typed, names)
  const question = meant.length === 0 ? '' : `. Did you mean ${meant.join(' or ')}?`
  return `unknown command '${typed}'${question}\n(add --help for more)`
}

/** The most letters that may differ: of a short name fewer. */
const EDITS_MAX = 3

/** The names that begin with the typed text; else those with the fewest edits. */
export function suggest(typed: string, names: readonly string[]): readonly string[] {
  const begun = names.filter((name) => name.startsWith(typed))
  if (begun.length > 0) return begun
  const distances = names.map((name) => edits(typed, name))
  const least = Math.min(...distances)
  const isNear = least <= Math.min(EDITS_MAX, Math.floor(typed.length / 2))
  return isNear ? names.filter((_, index) => distances[index] === least) : []
}

/** Letters to add, remove, change or swap with their neighbour (optimal string alignment). */
function edits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + change,
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
