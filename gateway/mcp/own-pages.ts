/** Pages of this instance itself, by the origin that a browser names. */
import { isIP } from 'node:net'
import type { HttpRequest } from '../http/http-server.ts'

/**
 * True for a request of a page of `PUBLIC_URL`, or of the host that was asked where that is an
 * address or `localhost`. Another name proves nothing: its owner may have pointed it here, and such
 * a page has it as its origin and as its host (DNS rebinding).
 */
export function createOwnPages(publicUrl: string | undefined): (request: HttpRequest) => boolean {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  return (request) => {
    const origin = request.header('origin')
    if (origin === undefined || !URL.canParse(origin)) return false
    if (origin === known) return true
    const { host, hostname } = new URL(origin)
    return host === request.header('host')?.toLowerCase() && isUnnamed(hostname)
  }
}

function isUnnamed(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
