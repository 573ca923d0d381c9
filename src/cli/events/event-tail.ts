/**
 * Follows the events of a project without gaps or duplicates: by a stream of live events, and by
 * the list of events where the stream has a gap.
 *
 * The list is read in the order in which events were stored. A transaction is dated by its start
 * and visible after its end, so an event with an earlier date may appear later. Each look therefore
 * reads the last seconds again, and leaves out the events that were shown. Pages are counted from
 * the start of a look: events stored meanwhile move the rest back, so that some are read twice and
 * none is missed.
 *
 * The list has the time of the database, and a stream that of its worker. The overlap allows clocks
 * to differ by seconds.
 */

export type TailedEvent = {
  readonly uuid: string
  /** Time of storage: ISO 8601 with microseconds, UTC. */
  readonly storedAt: string
  readonly event: string
  readonly distinctId: string
  readonly timestamp: string
  readonly properties: string
}

export type StoredEvents = {
  /** One page of those stored from `since` on (all when undefined), in the order of storing. */
  from(
    since: string | undefined,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<readonly TailedEvent[]>
  /** The newest events, newest first. */
  newest(limit: number): Promise<readonly TailedEvent[]>
}

/** Longer than any transaction that stores events: `FLUSH_ATTEMPT_MS` is 5 s. */
export const OVERLAP_MS = 15_000
/** Time for which shown events are remembered: longer than the overlap, for a slow clock. */
const KNOWN_MS = 2 * OVERLAP_MS
/** Interval at which older ones are forgotten. */
const FORGET_MS = 1_000
const PAGE = 1_000

export type EventTail = {
  /** The newest events, oldest first. Existing events count as shown. */
  begin(lines: number): Promise<readonly TailedEvent[]>
  /** Events that were not shown. A look that fails is repeated whole by the next. */
  look(): Promise<readonly TailedEvent[]>
  /** @returns whether the event of a stream was not shown; now it counts as shown. */
  take(event: TailedEvent): boolean
}

export function createEventTail(stored: StoredEvents): EventTail {
  /** The events of the last seconds that were shown, with the time at which they were stored. */
  let shown = new Map<string, number>()
  let newestMs: number | undefined
  let forgottenMs = 0

  /** @returns whether it was not shown before. */
  const show = (event: TailedEvent): boolean => {
    const key = keyOf(event)
    if (shown.has(key)) return false
    const storedMs = Date.parse(event.storedAt)
    shown.set(key, storedMs)
    newestMs = Math.max(newestMs ?? storedMs, storedMs)
    return true
  }
  const forget = () => {
    const beforeMs = (newestMs ?? 0) - KNOWN_MS
    if (beforeMs - forgottenMs < FORGET_MS) return
    forgottenMs = beforeMs
    shown = new Map([...shown].filter(([, storedMs]) => storedMs >= beforeMs))
  }
  const readAll = async (): Promise<readonly TailedEvent[]> => {
    const since = newestMs === undefined ? undefined : newestMs - OVERLAP_MS
    const from = since === undefined ? undefined : new Date(since).toISOString()
    const found: TailedEvent[] = []
    for (let offset = 0; ; offset += PAGE) {
      const page = await stored.from(from, { offset, limit: PAGE })
      found.push(...page)
      if (page.length < PAGE) return found
    }
  }
  const look = async () => {
    const fresh = (await readAll()).filter(show)
    forget()
    return fresh
  }

  return {
    async begin(lines) {
      const newest = await stored.newest(Math.max(lines, 1))
      // The first look begins there, and not with all that was ever stored.
      newestMs = newest[0] === undefined ? undefined : Date.parse(newest[0].storedAt)
      const known = new Map([...newest.toReversed(), ...(await look())].map((e) => [keyOf(e), e]))
      const all = [...known.values()].sort((one, other) => (one.storedAt < other.storedAt ? -1 : 1))
      return lines === 0 ? [] : all.slice(-lines)
    },
    look,
    take(event) {
      const isFresh = show(event)
      forget()
      return isFresh
    },
  }
}

/** A uuid may be stored once a day. */
function keyOf({ uuid, timestamp }: TailedEvent): string {
  return `${uuid} ${Date.parse(timestamp)}`
}
