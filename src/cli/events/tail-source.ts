/** Sources of `sluice tail`: the list of events, and the stream of live ones. */
import { listEvents, watchEvents } from '../../../gateway/client/calls.ts'
import type { Client, ServerEvent } from '../../../gateway/client/runtime.ts'
import type { ListEventsInput } from '../../../gateway/client/types.ts'
import { systemClock } from '../../core/clock.ts'
import { listOf, own } from '../../core/json.ts'
import { exactJson } from '../../core/json-text/exact-numbers.ts'
import type { StoredEvents, TailedEvent } from './event-tail.ts'

export type TailFilter = {
  readonly project: string
  readonly event?: string
  readonly distinctId?: string
}

export type TailSource = {
  readonly list: StoredEvents
  /** The messages of one stream, `open` first. Its first look makes the call. */
  live(): AsyncGenerator<ServerEvent, void, undefined>
  /** The event of a message; a truncated one is read whole from the list. */
  eventOf(message: ServerEvent): Promise<TailedEvent>
}

/** Columns of a `TailedEvent`. */
const COLUMNS = ['uuid', 'created_at', 'event', 'distinct_id', 'timestamp', 'properties']

/** Events that are dated longer before the last message are not looked for in the list. */
const WINDOW_MS = 3_600_000
/** Events that are dated ahead are stored now all the same. */
const NO_END = '2200-01-01T00:00:00Z'

export function createTailSource(
  client: Client,
  { project, event, distinctId }: TailFilter,
  signal: AbortSignal,
): TailSource {
  let heardMs = systemClock.now()
  const filter = {
    project_id: project,
    ...(event === undefined ? {} : { event }),
    ...(distinctId === undefined ? {} : { distinct_id: distinctId }),
  }
  const ask = async (more: Partial<ListEventsInput>) => {
    const after = isoTime(heardMs - WINDOW_MS)
    const input = { ...filter, select: COLUMNS, after, before: NO_END, ...more }
    const { results } = await listEvents(client, input, { signal })
    return listOf(results).map((row) => listedEvent(listOf(row).map(String)))
  }
  return {
    list: {
      from: (since, page) =>
        ask({
          orderBy: JSON.stringify(['created_at', 'uuid']),
          ...(since === undefined ? {} : { where: [`created_at >= toDateTime('${since}')`] }),
          ...page,
        }),
      newest: (limit) => ask({ orderBy: JSON.stringify(['-created_at', '-uuid']), limit }),
    },
    live: () => watchEvents(client, filter, { signal }),
    async eventOf(message) {
      heardMs = systemClock.now()
      const cut = streamedEvent(message)
      if (own(message.data, 'truncated') !== true) return cut
      const atMs = Date.parse(cut.timestamp)
      const [whole] = await ask({
        where: [`uuid = '${cut.uuid}'`],
        after: isoTime(atMs - 1),
        before: isoTime(atMs + 1),
      })
      return whole ?? cut // It may have been deleted meanwhile.
    },
  }
}

function listedEvent(cells: readonly string[]): TailedEvent {
  const [uuid = '', storedAt = '', event = '', distinctId = '', timestamp = '', properties = ''] =
    cells
  return { uuid, storedAt, event, distinctId, timestamp, properties }
}

function streamedEvent({ data }: ServerEvent): TailedEvent {
  const textOf = (name: string) => String(own(data, name) ?? '')
  return {
    uuid: textOf('id'),
    storedAt: textOf('stored_at'),
    event: textOf('event'),
    distinctId: textOf('distinct_id'),
    timestamp: textOf('timestamp'),
    properties: exactJson(own(data, 'properties') ?? {}),
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
