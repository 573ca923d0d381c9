/** Goal lines of a trend: numbers to reach, each drawn across the chart. */
export type Goal = { readonly label: string; readonly value: number }

/** @param lines `goalLines` of a question. Lines of another form are left out. */
export function goalsIn(lines: unknown): readonly Goal[] {
  return Array.isArray(lines) ? lines.filter(isGoal) : []
}

function isGoal(line: unknown): line is Goal {
  if (typeof line !== 'object' || line === null) return false
  const { label, value } = line as Partial<Record<keyof Goal, unknown>>
  return typeof label === 'string' && typeof value === 'number'
}

const ABOVE = 6
const BELOW = 14
/** Room for a label above its line. */
const LEAST_TOP = 20

/** Baseline of a goal's label: above its line, or below it at the top of the chart. */
export function goalLabelY(line: number): number {
  return line < LEAST_TOP ? line + BELOW : line - ABOVE
}
