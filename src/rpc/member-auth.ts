import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../core/code.ts'
import type { CallContext } from './call.ts'

/**
 * Guards the calls between members (gateway to worker): they name projects by id and carry no
 * project key, so the cluster's own token must come along.
 */
export type MemberAuth = (context: CallContext) => void

/** @throws {AppError} `unauthenticated` from the guard when the token is missing or another one. */
export function createMemberAuth(token: string): MemberAuth {
  const expected = Buffer.from(`Bearer ${token}`)
  return ({ metadata }) => {
    const given = Buffer.from(metadata.get('authorization') ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
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
