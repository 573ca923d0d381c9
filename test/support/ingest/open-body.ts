/** Metadata to open a body with, in tests of the threads that open large ones. */
import type { OpenMeta } from '../../../gateway/body/body-open.ts'
import type { IngestContext } from '../../../src/events/parse-event.ts'

export const META: OpenMeta = {
  method: 'POST',
  contentType: 'application/json',
  contentEncoding: '',
  query: '',
  authorization: '',
  thirdParty: 'never',
}

export const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: 0,
  sentAt: [],
  ip: '',
  anonymizeIps: false,
}
