import type { Sdk } from '../../src/events/dialects/v1-event.ts'
import { type OpenMeta, openMetaOf } from '../body/body-open.ts'
import type { HttpRequest } from '../http/http-server.ts'
import { type CaptureDeps, type CaptureHandler, captureBody } from './capture.ts'

const SDK_LENGTH_MAX = 256

/**
 * The capture route of the protocol v1: key, library and time of sending come in headers, and the
 * answer says what became of each event, once all of them are durable. What cannot be stored now is
 * refused as a whole: the client sends it again, and the uuids make that harmless.
 */
export function createCaptureV1(deps: CaptureDeps): CaptureHandler {
  return (request, body) => {
    const sdk = readSdk(request.header('posthog-sdk-info') ?? '')
    return captureBody(deps, request, { kind: 'v1', sdk }, body, metaOf(request))
  }
}

function metaOf(request: HttpRequest): OpenMeta {
  return {
    ...openMetaOf(request, false),
    authorization: request.header('authorization') ?? '',
    v1: { sentAt: request.header('posthog-request-timestamp') ?? '' },
  }
}

/** `<name>/<version>`; the name may hold slashes. Undefined when it is something else. */
export function readSdk(header: string): Sdk | undefined {
  const slash = header.lastIndexOf('/')
  if (slash === -1 || header.length > SDK_LENGTH_MAX) return undefined
  const name = header.slice(0, slash).trim()
  const version = header.slice(slash + 1).trim()
  return name === '' || version === '' ? undefined : { name, version }
}
