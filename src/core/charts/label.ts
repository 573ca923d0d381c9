/** Display names of events and properties that client libraries send; other names are their own. */

const LABELS: Readonly<Record<string, string>> = {
  $lib: 'Library',
  $lib_version: 'Library version',
  $ip: 'IP address',
  $pathname: 'Path',
  $set: 'Set person properties',
  $referrer: 'Referrer URL',
  $groupidentify: 'Group identify',
}
const UPPER = /\b(?:id|ip|os|sdk|ua|url|utm|uuid)\b/g

/** "Country code" for `$geoip_country_code`. */
export function labelOf(name: string): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name] ?? name
  if (!/^(?:\$+\w|utm_)/.test(name)) return name
  const words = name.replace(/^\$+(initial_)?(?:geoip_)?/, '$1').replaceAll('_', ' ')
  const [, flag] = /^feature\/(.+)/.exec(words) ?? []
  if (flag !== undefined) return `Feature flag ${flag}`
  const text = words.replace(UPPER, (word) => word.toUpperCase())
  return text[0]?.toUpperCase() + text.slice(1)
}
