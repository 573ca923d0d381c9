import { TONES } from '../../../src/core/charts/series.ts'

/** The class that gives a series its colour; the ninth has that of the first. */
export function toneOf(index: number): string {
  return `tone-${(index % TONES) + 1}`
}
