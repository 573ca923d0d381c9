/** Number of colours of series. */
export const TONES = 8

/** The class that gives a series its colour; the ninth has that of the first. */
export function toneOf(index: number): string {
  return `tone-${(index % TONES) + 1}`
}
