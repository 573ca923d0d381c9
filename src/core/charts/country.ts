/** Names of countries. */

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** "Germany" for `DE`; other texts are their own. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}
