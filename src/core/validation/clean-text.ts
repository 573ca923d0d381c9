import { type Json, put } from '../../wire/proto/value.ts'

/** Neither UTF-8 nor Postgres can hold them: half a surrogate pair, and NUL. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu
const MAYBE_UNSTORABLE = /[\0\ud800-\udfff]/

/** Text that every store and wire can hold; what they cannot becomes U+FFFD. */
export function cleanText(text: string): string {
  return MAYBE_UNSTORABLE.test(text) ? text.replace(UNSTORABLE, '\ufffd') : text
}

/** The same in every key and text of a value; bound its depth first. */
export function cleanJson(json: Json): Json {
  if (typeof json === 'string') return cleanText(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(cleanJson)
  const clean: Record<string, Json> = {}
  for (const [key, each] of Object.entries(json)) put(clean, cleanText(key), cleanJson(each))
  return clean
}
