/**
 * Judges the key of a request before its body is read, on routes with the key before the body: in a
 * header, or in the query. On the others a key in the body counts, and with a personal key the body
 * may name the project.
 */

import type { HeadJudge, HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { findProject, type PersonalKeyRule, type ProjectAnswer } from '../keys/find-project.ts'
import { findBearerToken, readToken, type TokenAnswer, thirdPartyKey } from '../keys/token.ts'
import { ofrepRefusal, ofrepToken } from './ofrep.ts'
import { isOfrepPath } from './ofrep-replies.ts'
import { type PublicError, publicError } from './public-errors.ts'

export const V1_CAPTURE_PATH = '/i/v1/analytics/events'

/** Where Segment's and RudderStack's libraries send. */
export const THIRD_PARTY_PREFIX = '/v1/'

type Refused = ProjectAnswer & { kind: 'refused' }

/**
 * Answers undefined for a key that is accepted, and for routes that read the key from the body.
 * @param onRefused called for captures that are refused.
 */
export function createHeadJudge(
  keys: KeyResolver,
  onRefused: (error: PublicError) => void = () => {},
): HeadJudge {
  const refuseCapture = (request: HttpRequest, refused: Refused) => {
    onRefused(refused.error)
    return v1Refusal(request, refused)
  }
  return (request) => {
    if (isOfrepPath(request.path)) {
      return judge(keys, ofrepToken(request), 'refused', (refused) =>
        ofrepRefusal(request, refused),
      )
    }
    if (isV1Capture(request.path)) {
      return judge(keys, v1Token(request), 'any', (refused) => refuseCapture(request, refused))
    }
    const token = request.path.startsWith(THIRD_PARTY_PREFIX) ? thirdPartyToken(request) : undefined
    if (token === undefined || (token.kind === 'candidate' && token.isPersonal)) return undefined
    return judge(keys, token, 'any', (refused) => refuseCapture(request, refused))
  }
}

/** The key of the capture protocol v1. */
export function v1Token(request: HttpRequest): TokenAnswer {
  return findBearerToken(request.header('authorization') ?? '')
}

export function v1Refusal(request: HttpRequest, { error, retryAfterS }: Refused): HttpReply {
  return publicError(request, error, { retryAfterS })
}

/** Undefined without a key before the body. */
function thirdPartyToken(request: HttpRequest): TokenAnswer | undefined {
  const key = thirdPartyKey(request.header('authorization') ?? '', request.query)
  return key === undefined ? undefined : readToken(key)
}

function isV1Capture(path: string): boolean {
  return path === V1_CAPTURE_PATH || path === `${V1_CAPTURE_PATH}/`
}

function judge(
  keys: KeyResolver,
  token: TokenAnswer,
  rule: PersonalKeyRule,
  refuse: (refused: Refused) => HttpReply,
): HttpReply | undefined | Promise<HttpReply | undefined> {
  const found = findProject(keys, token, rule)
  const replyTo = (answer: ProjectAnswer) => {
    // The body may name the project of a personal key.
    const mayGoOn = answer.kind === 'project' || answer.error === 'invalid_project'
    return mayGoOn ? undefined : refuse(answer)
  }
  return found instanceof Promise ? found.then(replyTo) : replyTo(found)
}
