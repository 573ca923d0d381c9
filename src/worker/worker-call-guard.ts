/** Guards of a worker's calls, checked before a request is read. */
import type { Policy } from '../access/policy.ts'
import type { Authenticator } from '../access/principal.ts'
import { assert } from '../core/code.ts'
import { isMemberCall } from '../rpc/server/call-bounds.ts'
import type { CallGuard, Guard } from '../rpc/server/call-guard.ts'
import type { MemberAuth } from '../rpc/server/member-auth.ts'
import type { CallMetadata } from '../wire/call.ts'

export type CallGuardParts = {
  readonly isMember: (token: string) => boolean
  readonly memberAuth: MemberAuth
  readonly operatorAuth: MemberAuth
  /** Guard of calls with a project key. */
  readonly serviceGuard: (metadata: CallMetadata, path: string) => Promise<void>
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly policy: Policy
}

const SERVICE_CALL = /^\/sluice\.v1\.(?:IngestService\/Capture(?:Batch)?|DecideService\/Decide)$/
const OPERATOR_CALL = /^\/sluice\.v1\.AdminService\//
const CHECK_ACCESS = '/sluice.v1.AccessService/CheckAccess'

/**
 * @param paths of every call that is served.
 * @throws {InvariantError} when one of them has no guard.
 */
export function createWorkerCallGuard(parts: CallGuardParts, paths: Iterable<string>): CallGuard {
  const guards = new Map<string, Guard>()
  for (const path of paths) {
    const guard = guardOf(path, parts)
    if (guard !== undefined) guards.set(path, guard)
  }
  return { isMember: parts.isMember, guards }
}

/** @returns undefined for a call that needs no key. */
function guardOf(path: string, parts: CallGuardParts): Guard | undefined {
  const { memberAuth, operatorAuth, serviceGuard, authenticator, policy } = parts
  if (isMemberCall(path)) return (metadata) => memberAuth({ metadata })
  if (OPERATOR_CALL.test(path)) return (metadata) => operatorAuth({ metadata })
  if (SERVICE_CALL.test(path)) return (metadata) => serviceGuard(metadata, path)
  const parent = policy.get(path)?.parent
  if (parent === 'public') return undefined
  assert(parent !== undefined || path === CHECK_ACCESS, `${path}: nobody guards it`)
  return async (metadata) => {
    await authenticator.authenticate(metadata)
  }
}
