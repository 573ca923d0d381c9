/** Placeholders that broken clients send for every user: merging on one would join strangers. */
const ANY_CASE: ReadonlySet<string> = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
])
const EXACT_CASE: ReadonlySet<string> = new Set([
  '[object Object]',
  'NaN',
  'None',
  'none',
  'null',
  '0',
  'undefined',
])
const PLACEHOLDER_LENGTH_MAX = 32

/** True when a distinct id must not take part in a merge. Its events are ingested all the same. */
export function isIllegalId(id: string): boolean {
  if (id.length > PLACEHOLDER_LENGTH_MAX) return id.trim() === ''
  const bare = unquoted(id)
  return id.trim() === '' || EXACT_CASE.has(bare) || ANY_CASE.has(bare.toLowerCase())
}

function unquoted(id: string): string {
  const first = id[0]
  const quoted = (first === '"' || first === "'") && id.length > 1 && id.endsWith(first)
  return quoted ? id.slice(1, -1) : id
}
