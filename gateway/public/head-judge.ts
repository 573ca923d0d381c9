/**
 * Judges the key of a request before its body is read, on routes where only a header names it. On
 * the others a key in the body counts, or a project id in the body says what the key may reach.
 */

import type { HeadJudge, HttpReply, HttpRequest } from '../http/http-server.ts'
import type { KeyResolver } from '../keys/api-key.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import { findBearerToken, type TokenAnswer } from '../keys/token.ts'
import { ofrepRefusal, ofrepToken } from './ofrep.ts'
import { isOfrepPath } from './ofrep-replies.ts'
import { publicError } from './public-errors.ts'

export const V1_CAPTURE_PATH = '/i/v1/analytics/events'

type Refused = ProjectAnswer & { kind: 'refused' }

/** Answers undefined for a key that may go on, and for routes that read the key elsewhere. */
export function createHeadJudge(keys: KeyResolver): HeadJudge {
  return (request) => {
    if (isOfrepPath(request.path)) {
      return judge(keys, ofrepToken(request), (refused) => ofrepRefusal(request, refused))
    }
    if (!isV1Capture(request.path)) return undefined
    return judge(keys, v1Token(request), (refused) => v1Refusal(request, refused))
  }
}

/** The key of the capture protocol v1. */
export function v1Token(request: HttpRequest): TokenAnswer {
  return findBearerToken(request.header('authorization') ?? '')
}

export function v1Refusal(request: HttpRequest, { error, retryAfterS }: Refused): HttpReply {
  return publicError(request, error, { retryAfterS })
}

function isV1Capture(path: string): boolean {
  return path === V1_CAPTURE_PATH || path === `${V1_CAPTURE_PATH}/`
}

function judge(
  keys: KeyResolver,
  token: TokenAnswer,
  refuse: (refused: Refused) => HttpReply,
): HttpReply | undefined | Promise<HttpReply | undefined> {
  const found = findProject(keys, token)
  const replyTo = (answer: ProjectAnswer) =>
    answer.kind === 'refused' ? refuse(answer) : undefined
  return found instanceof Promise ? found.then(replyTo) : replyTo(found)
}
