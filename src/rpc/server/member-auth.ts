import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../core/code.ts'
import type { CallContext } from '../../wire/call.ts'

/**
 * Guards the calls between members (gateway to worker): they name projects by id and carry no
 * project key, so the cluster's own token must come along.
 */
export type MemberAuth = (context: CallContext) => void

/** Whether a token that was presented is `expected`, in time that says nothing about it. */
export function sameToken(expected: string): (given: string) => boolean {
  const right = Buffer.from(expected)
  return (given) => {
    const bytes = Buffer.from(given)
    return bytes.length === right.length && timingSafeEqual(bytes, right)
  }
}

const SCHEME = 'Bearer '

/** @throws {AppError} `unauthenticated` from the guard when the token is missing or another one. */
export function createMemberAuth(accepts: (token: string) => boolean): MemberAuth {
  return ({ metadata }) => {
    const given = metadata.get('authorization') ?? ''
    if (!given.startsWith(SCHEME) || !accepts(given.slice(SCHEME.length))) {
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
