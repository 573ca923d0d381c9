/** Secret of a one-time link, `/login#…`: it is removed from the address before anything else. */

let token: string | undefined

/** Called first of all, and whenever the fragment changes, so that no history, screenshot or error report holds it. */
export function takeLoginToken(): void {
  if (location.pathname.replace(/\/$/, '') !== '/login' || location.hash.length < 2) return
  token = location.hash.slice(1)
  history.replaceState(null, '', location.pathname + location.search)
}

/** Returns the secret once, and undefined afterwards. */
export function loginToken(): string | undefined {
  const found = token
  token = undefined
  return found
}
