/** Lengths of time as people read them. */

const UNITS = [
  [86_400, 'day'],
  [3_600, 'h'],
  [60, 'min'],
] as const

/** `45 s`, `2.5 min`, `3 days`. */
export function formatSeconds(seconds: number): string {
  const unit = UNITS.find(([size]) => seconds >= size)
  if (unit === undefined) return `${rounded(seconds)} s`
  const count = rounded(seconds / unit[0])
  return `${count} ${unit[1]}${unit[1] === 'day' && count !== '1' ? 's' : ''}`
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10)
}
