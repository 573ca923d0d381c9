/** The capture route of the protocol v1. */

import type { Sdk } from '../../src/events/dialects/v1-event.ts'
import { type OpenMeta, openMetaOf } from '../body/body-open.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'
import { findProject, type ProjectAnswer } from '../keys/find-project.ts'
import type { GatewayProject } from '../keys/gateway-project.ts'
import { type CaptureDeps, type CaptureHandler, captureBody } from './capture.ts'
import { countRefused } from './capture-losses.ts'
import { v1Refusal, v1Token } from './head-judge.ts'

const SDK_LENGTH_MAX = 256

/**
 * The capture route of protocol v1. Headers carry the key, the library and the time of sending. The
 * answer names the outcome of each event, once all events are durable. A request that cannot be
 * stored now is refused as a whole: the client repeats it, and the uuids prevent duplicates.
 */
export function createCaptureV1(deps: CaptureDeps): CaptureHandler {
  const capture = (request: HttpRequest, body: Buffer, project: GatewayProject) => {
    const sdk = readSdk(request.header('posthog-sdk-info') ?? '')
    return captureBody(deps, request, { kind: 'v1', sdk }, body, metaOf(request), project)
  }
  // The key is judged first: the body of an unknown caller is never decoded.
  return (request, body) => {
    const found = findProject(deps.keys, v1Token(request), 'any')
    const go = (answer: ProjectAnswer) =>
      answer.kind === 'refused'
        ? refused(deps, request, answer)
        : capture(request, body, answer.project)
    return found instanceof Promise ? found.then(go) : go(found)
  }
}

function refused(
  { warnings }: CaptureDeps,
  request: HttpRequest,
  answer: ProjectAnswer & { kind: 'refused' },
): HttpReply {
  countRefused(warnings, answer.error)
  return v1Refusal(request, answer)
}

function metaOf(request: HttpRequest): OpenMeta {
  return {
    ...openMetaOf(request, 'never'),
    authorization: request.header('authorization') ?? '',
    v1: { sentAt: request.header('posthog-request-timestamp') ?? '' },
  }
}

/** Splits `<name>/<version>`; the name may hold slashes. `undefined` for any other text. */
function readSdk(header: string): Sdk | undefined {
  const slash = header.lastIndexOf('/')
  if (slash === -1 || header.length > SDK_LENGTH_MAX) return undefined
  const name = header.slice(0, slash).trim()
  const version = header.slice(slash + 1).trim()
  return name === '' || version === '' ? undefined : { name, version }
}
