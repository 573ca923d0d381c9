/** Events as the gateway makes them of a workload's requests, for benches without a gateway. */
import { AppError } from '../../../src/core/code.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import { parseEvents } from '../../../src/events/parse-event.ts'
import { createUuidV7 } from '../../../src/events/uuid.ts'
import { type CaptureShape, createCaptureSource } from './payload.ts'

/** Persons that page views return to. */
export const RETURNING = 20_000
/** Numbers of the ids of new persons begin here. */
export const NEW_FROM = 1_000_000_000

type Shape = Pick<CaptureShape, 'shape' | 'seed'> & Partial<CaptureShape>

/** Makes the events of `shape`; ten properties of 16 bytes where it is `plain`. */
export function createEventMaker(shape: Shape): (count: number) => IngestEvent[] {
  const source = createCaptureSource(
    {
      apiKeys: ['phc_bench'],
      eventName: 'bench event',
      batch: 1,
      distinctIds: RETURNING,
      zipfExponent: undefined,
      properties: 10,
      valueBytes: 16,
      newFrom: NEW_FROM,
      gzipShare: 0,
      uuidVersion: 7,
      ...shape,
    },
    { host: 'bench', path: '/capture/' },
  )
  const newUuid = createUuidV7(() => Date.now())
  // Rows near a midnight cost more: see `near-midnight.ts`.
  const noon = new Date().setUTCHours(12)
  const buffer = Buffer.alloc(source.bytesMax)
  const next = (): readonly IngestEvent[] => {
    const text = buffer.toString('utf8', 0, source.fill(buffer))
    const body: unknown = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
    const context = { projectId: 1, receivedAtMs: noon, ip: '192.0.2.1' } as const
    const dialect = { kind: 'posthog' } as const
    const rest = { dialect, sentAt: [], anonymizeIps: false }
    const parsed = parseEvents(body, { ...context, ...rest }, newUuid)
    if (!parsed.ok) throw new AppError('internal', `a made event is refused: ${parsed.error.code}`)
    return parsed.value.events
  }
  const made: IngestEvent[] = []
  return (count) => {
    while (made.length < count) made.push(...next())
    return made.splice(0, count)
  }
}
