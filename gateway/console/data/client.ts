/** The typed client, bound to the session. */
import { type Client, createClient } from '../../client/index.ts'
import { noteCall } from './calls.ts'
import { exactParse } from './json.ts'
import { csrfToken, fetchTimed, signedInAgain } from './session.ts'

const SAFE = new Set(['GET', 'HEAD'])

/** Every page calls the interface with it: `await listFeatureFlags(client, …)`. */
export const client: Client = createClient({
  baseUrl: location.origin,
  fetch: sessionFetch,
  parse: exactParse,
})

async function sessionFetch(input: string | URL | Request, init: RequestInit = {}) {
  const url = new URL(input instanceof Request ? input.url : input)
  const verb = init.method ?? 'GET'
  const body = typeof init.body === 'string' ? init.body : undefined
  noteCall({ verb, path: url.pathname + url.search, body })
  const response = await fetchTimed(url, withToken(verb, init))
  if (response.status !== 401 || !(await signedInAgain())) return response
  return await fetchTimed(url, withToken(verb, withoutTimeout(init)))
}

function withToken(verb: string, init: RequestInit): RequestInit {
  const token = csrfToken()
  if (SAFE.has(verb) || token === undefined) return init
  const headers = new Headers(init.headers)
  headers.set('x-csrf-token', token)
  return { ...init, headers }
}

/** Drops the timeout, which may pass during sign-in. Calls aborted by their page stay aborted. */
function withoutTimeout(init: RequestInit): RequestInit {
  const reason: unknown = init.signal?.reason
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError'
  if (!isLate) return init
  const { signal: _, ...rest } = init
  return rest
}
