/** Origins whose pages may embed the links of a project. */
import { type Json, textsIn } from '../../../core/json.ts'

/** Origins of one project; they travel in a header. */
const ORIGINS_MAX = 50
/** No other character, which could begin another directive of the header. */
const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/

/** @param appUrls addresses as people write them, with paths; others than http and https are left out. */
export function embedOrigins(appUrls: Json): readonly string[] {
  const origins = textsIn(appUrls).flatMap((text) => {
    const origin = URL.canParse(text) ? new URL(text).origin : ''
    return ORIGIN.test(origin) ? [origin] : []
  })
  return [...new Set(origins)].slice(0, ORIGINS_MAX)
}
