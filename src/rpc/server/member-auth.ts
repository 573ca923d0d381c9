import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../core/code.ts'
import type { CallContext } from '../../wire/call.ts'

/**
 * Guards the calls between members. These name projects by id and carry no project key, so they
 * carry the cluster's own token.
 */
export type MemberAuth = (call: Pick<CallContext, 'metadata'>) => void

/** Compares a presented token with `expected` in constant time. */
export function sameToken(expected: string): (given: string) => boolean {
  const right = Buffer.from(expected)
  return (given) => {
    const bytes = Buffer.from(given)
    return bytes.length === right.length && timingSafeEqual(bytes, right)
  }
}

const SCHEME = 'Bearer '

/**
 * @param onRefused called when another token was presented, not when none was.
 * @throws {AppError} `unauthenticated` from the guard when the token is missing or another one.
 */
export function createMemberAuth(
  accepts: (token: string) => boolean,
  onRefused: () => void = () => {},
): MemberAuth {
  return ({ metadata }) => {
    const given = metadata.get('authorization') ?? ''
    if (!given.startsWith(SCHEME) || !accepts(given.slice(SCHEME.length))) {
      if (given !== '') onRefused()
      throw new AppError('unauthenticated', 'not a member of this cluster', {
        detail: {
          type: 'authentication_error',
          code: 'not_authenticated',
          detail: 'This call is for members of the cluster and the operator.',
          attr: null,
        },
      })
    }
  }
}
