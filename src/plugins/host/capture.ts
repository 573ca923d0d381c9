/** `posthog.capture` of plugins: sends events to the ingestion of the same project. */

import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import { within } from '../../core/deadline.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import { PLUGIN_EVENT_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import { batchOf, type EventBatch, type IngestOutcome } from '../../events/event-batch.ts'
import { parseEvents } from '../../events/parse-event.ts'
import { type Loss, lossOf } from '../../events/warnings/ingestion-warning.ts'
import type { PluginDefinition } from '../../project/plugin-ports.ts'
import type { PluginHost, PluginRecords } from '../ports.ts'
import { ArgumentRefused, jsonText } from './arguments.ts'
import { markCaptured } from './captured.ts'

/** Events that one config captures in a second, and bytes of them not stored yet. */
const PLUGIN_CAPTURES_PER_S_MAX = 100
const PLUGIN_CAPTURE_WAITING_BYTES_MAX = 8_388_608
/** A captured event that is refused for now is sent again: calls in all, and the first wait. */
const PLUGIN_CAPTURE_ATTEMPTS_MAX = 5
const PLUGIN_CAPTURE_RETRY_MS = 1_000

export type PluginCapture = {
  /**
   * The capture function of one config. It resolves when the event is accepted, before it is
   * stored: a plugin may wait for it in `processEvent`, which holds up all later events of the
   * project.
   * @throws {ArgumentRefused} for an invalid event, and past the bounds.
   */
  of(definition: PluginDefinition): PluginHost['capture']
  /** Refuses new events and waits for accepted ones. After the deadline the rest is dropped. */
  close(deadlineMs: number): Promise<void>
}

export type PluginCaptureDeps = {
  readonly clock: Clock
  readonly newUuid: () => string
  readonly anonymizesIps: (projectId: number) => Promise<boolean>
  /** Never rejects. */
  readonly submit: (batch: EventBatch) => Promise<IngestOutcome>
  readonly records: Pick<PluginRecords, 'log'>
  readonly onLost?: ((projectId: number, losses: readonly Loss[]) => void) | undefined
}

export function createPluginCapture(deps: PluginCaptureDeps): PluginCapture {
  const underWay = new Set<Promise<void>>()
  const ended = new AbortController()
  let isClosed = false
  return {
    of: (definition) => {
      const takeTurn = createRate(deps.clock)
      let waitingBytes = 0
      return async (event) => {
        if (isClosed) throw new ArgumentRefused('capture: the server is stopping')
        takeTurn()
        const payload = toPayload(event, definition)
        const batch = capturedBatch(
          payload,
          definition,
          deps,
          await deps.anonymizesIps(definition.projectId),
        )
        if (waitingBytes + batch.bytes > PLUGIN_CAPTURE_WAITING_BYTES_MAX) {
          throw new ArgumentRefused('capture: too many captured events are not stored yet')
        }
        waitingBytes += batch.bytes
        const sent = send(deps, definition, batch, ended.signal).finally(() => {
          waitingBytes -= batch.bytes
          underWay.delete(sent)
        })
        underWay.add(sent)
      }
    },
    async close(deadlineMs) {
      isClosed = true
      const all = Promise.all(underWay)
      await within(deps.clock, { ms: deadlineMs }, all, () => ended.abort())
    },
  }
}

/** Bounds the calls in each second of the monotonic clock. */
function createRate(clock: Pick<Clock, 'monotonic'>): () => void {
  let second = -1
  let calls = 0
  return () => {
    const now = Math.floor(clock.monotonic() / 1_000)
    if (now !== second) {
      second = now
      calls = 0
    }
    if (calls >= PLUGIN_CAPTURES_PER_S_MAX) {
      throw new ArgumentRefused(`capture: more than ${PLUGIN_CAPTURES_PER_S_MAX} events a second`)
    }
    calls++
  }
}

/** A payload in the product's own form. The parser may change it. */
function toPayload(
  { name, properties }: Parameters<PluginHost['capture']>[0],
  { step }: PluginDefinition,
): object {
  const { timestamp, distinct_id: distinctId, ...others } = properties
  const text = jsonText('capture', markCaptured(others, step), PLUGIN_EVENT_CHARS_MAX)
  return {
    event: name,
    distinct_id:
      distinctId ?? (step.pluginName === '' ? `plugin-id-${step.pluginId}` : step.pluginName),
    properties: parseJson(text),
    ...(timestamp === undefined || timestamp === null ? {} : { timestamp }),
  }
}

function capturedBatch(
  payload: object,
  { projectId }: PluginDefinition,
  { clock, newUuid }: PluginCaptureDeps,
  anonymizeIps: boolean,
): EventBatch {
  const context = {
    projectId,
    dialect: { kind: 'posthog' },
    receivedAtMs: clock.now(),
    sentAt: [],
    ip: '',
    anonymizeIps,
  } as const
  const parsed = parseEvents(payload, context, newUuid)
  const events = parsed.ok ? parsed.value.events : []
  if (events.length === 0) {
    throw new ArgumentRefused('capture: an event needs a name and a distinct id that can be stored')
  }
  return batchOf(projectId, events)
}

/** Sends an event, and again with the same uuid when it is refused for now. Never rejects. */
async function send(
  { clock, submit, records, onLost }: PluginCaptureDeps,
  { projectId, step }: PluginDefinition,
  batch: EventBatch,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await submit(batch).catch(unavailable)
    if (outcome.kind !== 'overloaded' && outcome.kind !== 'unavailable') return
    if (attempt === PLUGIN_CAPTURE_ATTEMPTS_MAX || signal.aborted) break
    const doubled = backoffMs({ firstMs: PLUGIN_CAPTURE_RETRY_MS }, attempt)
    await clock.sleep(Math.max(doubled, outcome.retryAfterS * 1_000), signal).catch(() => {
      // Aborted: one last attempt.
    })
  }
  const losses = batch.events.map((event) => lossOf('plugin_capture_lost', event))
  onLost?.(projectId, losses)
  const message = 'A captured event was lost: it could not be stored in time'
  records.log({ projectId, step, source: 'SYSTEM', type: 'WARN', message })
}

function unavailable(cause: unknown): IngestOutcome {
  return { kind: 'unavailable', retryAfterS: 1, cause }
}
