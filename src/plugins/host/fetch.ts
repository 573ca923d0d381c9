/** `fetch` of plugins: it reaches no address of the instance's own network, and is bounded. */
import type { LookupFunction } from 'node:net'
import type { Clock } from '../../core/clock.ts'
import { PLUGIN_FETCH_MS } from '../../core/limits/limits.ts'
import type { HostRequest, HostResponse } from '../ports.ts'
import { type ExchangeRules, exchange } from './exchange.ts'
import { type CheckedRequest, checkRequest, FetchFailed, redirected } from './fetch-request.ts'
import { createLimitedLookup } from './limited-lookup.ts'
import {
  AddressRefused,
  type AllowsAddress,
  guardedLookup,
  isForeignAddress,
} from './public-address.ts'
import { createRequestSlots } from './request-slots.ts'

/** Redirects that a `fetch` follows. */
const PLUGIN_FETCH_REDIRECTS_MAX = 3
/** Names looked up at a time: each holds one of the process's four threads for such work. */
const PLUGIN_FETCH_LOOKUPS_MAX = 2

/**
 * Sends one request of a config and follows redirects.
 * @throws {Error} whose message the plugin may see. The request may have taken effect.
 */
export type HostFetch = (
  configId: number,
  request: HostRequest,
  signal: AbortSignal,
) => Promise<HostResponse>

export type HostFetchDeps = {
  readonly clock: Pick<Clock, 'after'>
  /** The allowed addresses; public ones unless given. */
  readonly allows?: AllowsAddress
  /** The look-up, which answers allowed addresses only; the system's unless given. */
  readonly lookup?: LookupFunction
  /** The setting PLUGIN_FETCH. */
  readonly enabled: boolean
}

const DISABLED = 'fetch is not allowed on this instance (PLUGIN_FETCH)'
const TOO_SLOW = `fetch failed: no answer within ${PLUGIN_FETCH_MS / 1_000} seconds`

export function createHostFetch({
  clock,
  allows = isForeignAddress,
  lookup = guardedLookup(allows),
  enabled,
}: HostFetchDeps): HostFetch {
  if (!enabled) return async () => await Promise.reject(new FetchFailed(DISABLED))
  const slots = createRequestSlots()
  const lookupOf = createLimitedLookup(lookup, PLUGIN_FETCH_LOOKUPS_MAX)
  return async (configId, request, signal) => {
    const checked = checkRequest(request)
    const timeout = new AbortController()
    const cancel = clock.after(PLUGIN_FETCH_MS, () => timeout.abort())
    const ended = AbortSignal.any([signal, timeout.signal])
    try {
      const release = await slots.take(configId, checked.body?.length ?? 0, ended)
      try {
        return await follow(checked, { allows, lookup: lookupOf(ended) }, ended)
      } finally {
        release()
      }
    } catch (error) {
      if (error instanceof FetchFailed) throw error
      if (timeout.signal.aborted) throw new FetchFailed(TOO_SLOW)
      if (signal.aborted) throw new FetchFailed('fetch was aborted')
      throw failureOf(error)
    } finally {
      cancel()
    }
  }
}

async function follow(
  first: CheckedRequest,
  rules: ExchangeRules,
  signal: AbortSignal,
): Promise<HostResponse> {
  let request = first
  for (let redirects = 0; ; redirects++) {
    const exchanged = await exchange(request, rules, signal)
    if (exchanged.kind === 'answer') {
      const { kind: _, ...answer } = exchanged
      return { ...answer, url: request.url.href, redirected: redirects > 0 }
    }
    if (redirects === PLUGIN_FETCH_REDIRECTS_MAX) {
      throw new FetchFailed(`fetch failed: more than ${PLUGIN_FETCH_REDIRECTS_MAX} redirects`)
    }
    request = redirected(request, exchanged.status, exchanged.location)
  }
}

/** A code such as `ECONNREFUSED` may be shown. Messages may have addresses. */
function failureOf(error: unknown): FetchFailed {
  if (error instanceof AddressRefused) {
    return new FetchFailed('fetch failed: no public address answers at this URL')
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = typeof code === 'string' ? code : 'the connection broke'
  return new FetchFailed(`fetch failed: ${reason}`, { cause: error })
}
