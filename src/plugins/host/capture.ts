/** `posthog.capture` of plugins: events that enter ingestion of the same project again. */
import type { Clock } from '../../core/clock.ts'
import {
  PLUGIN_CAPTURE_ATTEMPTS_MAX,
  PLUGIN_CAPTURE_RETRY_MS,
  PLUGIN_CAPTURE_WAITING_BYTES_MAX,
  PLUGIN_CAPTURES_PER_S_MAX,
  PLUGIN_EVENT_CHARS_MAX,
} from '../../core/limits/limits-plugins.ts'
import { parseEvents } from '../../events/parse-event.ts'
import { eventBytes } from '../../ingest/event-size.ts'
import type { IngestGroup, IngestOutcome } from '../../project/ports.ts'
import type { PluginDefinition, PluginHost, PluginRecords } from '../ports.ts'
import { ArgumentRefused, jsonText } from './arguments.ts'
import { markCaptured } from './captured.ts'

export type PluginCapture = {
  /**
   * The capture of one config. It resolves once the event is accepted, not stored: a plugin may
   * wait for it within `processEvent`, before which nothing later of its project is taken.
   * @throws {ArgumentRefused} for what is no event, and over the bounds.
   */
  of(definition: PluginDefinition): PluginHost['capture']
  /** Waits for what was accepted; after the time the rest is given up. Refuses anything new. */
  close(deadlineMs: number): Promise<void>
}

export type PluginCaptureDeps = {
  readonly clock: Clock
  readonly newUuid: () => string
  readonly anonymizesIps: (projectId: number) => Promise<boolean>
  /** Never rejects. */
  readonly submit: (group: IngestGroup) => Promise<IngestOutcome>
  readonly records: Pick<PluginRecords, 'log'>
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
        const group = groupOf(
          payload,
          definition,
          deps,
          await deps.anonymizesIps(definition.projectId),
        )
        if (waitingBytes + group.bytes > PLUGIN_CAPTURE_WAITING_BYTES_MAX) {
          throw new ArgumentRefused('capture: too many captured events are not stored yet')
        }
        waitingBytes += group.bytes
        const sent = send(deps, definition, group, ended.signal).finally(() => {
          waitingBytes -= group.bytes
          underWay.delete(sent)
        })
        underWay.add(sent)
      }
    },
    async close(deadlineMs) {
      isClosed = true
      const late = new Promise<void>((resolve) => {
        ended.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      const cancel = deps.clock.after(deadlineMs, () => ended.abort())
      await Promise.race([Promise.all(underWay), late])
      cancel()
    },
  }
}

/** So many calls a second of the monotonic clock. */
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

/** A payload that belongs to the parser, in the product's own form. */
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
    properties: JSON.parse(text),
    ...(timestamp === undefined || timestamp === null ? {} : { timestamp }),
  }
}

function groupOf(
  payload: object,
  { projectId }: PluginDefinition,
  { clock, newUuid }: PluginCaptureDeps,
  anonymizeIps: boolean,
): IngestGroup {
  const context = {
    projectId,
    dialect: { kind: 'posthog' },
    receivedAtMs: clock.now(),
    sentAt: undefined,
    ip: '',
    anonymizeIps,
  } as const
  const parsed = parseEvents(payload, context, newUuid)
  const events = parsed.ok ? parsed.value.events : []
  const [event] = events
  if (event === undefined) {
    throw new ArgumentRefused('capture: an event needs a name and a distinct id that can be stored')
  }
  return { projectId, events, bytes: eventBytes(event) }
}

/** Never rejects. What is refused for now is sent again with the same uuid. */
async function send(
  { clock, submit, records }: PluginCaptureDeps,
  { projectId, step }: PluginDefinition,
  group: IngestGroup,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await submit(group).catch(unavailable)
    if (outcome.kind !== 'overloaded' && outcome.kind !== 'unavailable') return
    if (attempt === PLUGIN_CAPTURE_ATTEMPTS_MAX || signal.aborted) break
    const doubled = PLUGIN_CAPTURE_RETRY_MS * 2 ** (attempt - 1)
    await clock.sleep(Math.max(doubled, outcome.retryAfterS * 1_000), signal).catch(() => {
      // Woken by the end of the time: one last attempt.
    })
  }
  const message = 'A captured event was lost: it could not be stored in time'
  records.log({ projectId, step, source: 'SYSTEM', type: 'WARN', message })
}

function unavailable(cause: unknown): IngestOutcome {
  return { kind: 'unavailable', retryAfterS: 1, cause }
}
