/**
 * Call guard of the gRPC server: authenticates a caller before any of a request is read. Handlers
 * check again, as they do for callers of their own process.
 */
import {
  type Metadata,
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
} from '@grpc/grpc-js'
import { AppError } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { type CallMetadata, fromGrpcMetadata, MEMBER_METADATA } from '../../wire/call.ts'
import { isMemberCall } from './call-bounds.ts'
import type { OnRefused } from './refused.ts'
import { toServiceError } from './status.ts'

/** @throws {AppError} when this caller may not make the call. A promise rejects with it. */
export type Guard = (metadata: CallMetadata) => void | Promise<void>

export type CallGuard = {
  /** Whether a caller that presents this token is a member of the cluster. */
  readonly isMember: (token: string) => boolean
  /** Access checks of calls, by path. A call without a guard is open to anybody. */
  readonly guards: ReadonlyMap<string, Guard>
}

/** Looks for the cluster's token in all fields in which a caller may send it. */
export function presentsMemberToken(
  { isMember }: Pick<CallGuard, 'isMember'>,
  authorization: unknown,
  memberToken: unknown,
): boolean {
  if (typeof memberToken === 'string' && isMember(memberToken)) return true
  if (typeof authorization !== 'string' || !authorization.startsWith('Bearer ')) return false
  return isMember(authorization.slice('Bearer '.length))
}

export type CallGuardOptions = {
  /** Whether members must have shown a certificate. */
  readonly certifies: boolean
  readonly log: Log
  readonly onRefused?: OnRefused
}

/** Refuses a call before grpc-js reads any of it, in the order in which grpc-js makes its calls. */
export function createCallGuard(
  { isMember, guards }: CallGuard,
  { certifies, log, onRefused }: CallGuardOptions,
): ServerInterceptor {
  return ({ path }, call) => {
    const guard = guards.get(path)
    const isCertified = () => !certifies || call.getAuthContext().sslPeerCertificate !== undefined
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, enter) => {
      const refuse = (error: unknown) => {
        onRefused?.('caller', path)
        call.sendStatus(toServiceError(error, log, path))
      }
      try {
        const known = fromGrpcMetadata(metadata)
        if (isMemberCall(path) && !isCertified()) throw noCertificate()
        const isJudged = isGateway(known, isMember) && isCertified()
        const asked = isJudged ? undefined : guard?.(known)
        if (asked === undefined) enter(metadata)
        else asked.then(() => enter(metadata), refuse)
      } catch (error) {
        refuse(error)
      }
    })
    const responder = new ResponderBuilder()
      .withStart((next) => next(listener.build()))
      .withSendMetadata((metadata, next) => next(withoutCompression(metadata)))
    return new ServerInterceptingCall(call, responder.build())
  }
}

/** @returns `unauthenticated`. */
function noCertificate(): AppError {
  return new AppError('unauthenticated', 'no certificate of the members', {
    detail: {
      type: 'authentication_error',
      code: 'not_authenticated',
      detail: 'Members show a certificate of their authority (GRPC_TLS_CA).',
      attr: null,
    },
  })
}

/** A gateway has read the body already: the handler checks the rights of its caller. */
function isGateway(metadata: CallMetadata, isMember: CallGuard['isMember']): boolean {
  const token = metadata.get(MEMBER_METADATA)
  return token !== undefined && isMember(token)
}

/** grpc-js offers gzip by itself, which the server refuses. */
function withoutCompression(metadata: Metadata): Metadata {
  metadata.set('grpc-accept-encoding', 'identity')
  return metadata
}
