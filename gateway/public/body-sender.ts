/** Sender of a body, for its share of the body threads and of the captures in flight. */

import type { Sender } from '../body/fair-queue.ts'
import { peekToken } from '../body/peek-token.ts'
import type { HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { peerOf, type TrustedProxies } from '../keys/client-ip.ts'
import { readToken } from '../keys/token.ts'

/** Group of all bodies whose project is not known before they are read. */
const UNKNOWN = 'unknown'
/** Group of management calls. */
const MANAGEMENT = 'management'

export function projectGroup(project: number): string {
  return `project ${project}`
}

/**
 * The project is known where a header has named it, or where the cache knows the key that the first
 * bytes of the body seem to hold.
 */
export function bodyGroup(
  { keys }: { readonly keys: KeyResolver },
  body: Buffer,
  project: number | undefined,
): string {
  const known = project ?? guessed(keys, body)
  return known === undefined ? UNKNOWN : projectGroup(known)
}

export function bodySender(
  deps: { readonly keys: KeyResolver; readonly proxies: TrustedProxies },
  request: HttpRequest,
  body: Buffer,
  project: number | undefined,
): Sender {
  return { peer: peerOf(deps.proxies, request), group: bodyGroup(deps, body, project) }
}

export function managementSender(proxies: TrustedProxies, request: HttpRequest): Sender {
  return { peer: peerOf(proxies, request), group: MANAGEMENT }
}

function guessed(keys: KeyResolver, body: Buffer): number | undefined {
  const token = readToken(peekToken(body))
  if (token.kind === 'refused' || token.isPersonal) return undefined
  const known = keys.peek({ token: token.token, projectId: undefined })
  return known?.kind === 'project' ? known.project.id : undefined
}
