const NOT_ASCII = /[^\0-\x7f]/

/**
 * The form in which texts are compared without their case: lower case of all of Unicode, with one
 * lower sigma. Idempotent, and never shorter than the text.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return NOT_ASCII.test(lower) ? lower.replaceAll('ς', 'σ') : lower
}
