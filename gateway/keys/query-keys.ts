/** Personal keys in query strings, where proxies and browsers write them into their logs. */

import { KEY_MEMBER } from './credentials.ts'
import { PERSONAL_PREFIX } from './token.ts'

/** True when the query of a request holds a personal key, whatever route it is for. */
export function holdsPersonalKey(query: string): boolean {
  if (query === '') return false
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === KEY_MEMBER || value.trim().startsWith(PERSONAL_PREFIX)) return true
  }
  return false
}
