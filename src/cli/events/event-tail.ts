/**
 * Follows the events of a project over the list of events, without gaps or doubles.
 *
 * Events are asked for in the order in which they were stored. A transaction is dated by its start
 * and seen after its end, so one that is dated earlier may appear later. Each look therefore asks
 * again for the last seconds, and those events that were shown are left out. Pages are counted from
 * the start of a look: what is stored meanwhile moves the rest back, so that some come twice and
 * none is missed.
 */

export type TailedEvent = {
  readonly uuid: string
  /** When it was stored: ISO 8601 with microseconds, UTC. */
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
  /** The newest, which come first. */
  newest(limit: number): Promise<readonly TailedEvent[]>
}

/** Longer than any transaction that stores events: `FLUSH_ATTEMPT_MS` is 5 s. */
export const OVERLAP_MS = 15_000
const PAGE = 1_000

export type EventTail = {
  /** The newest events, oldest first. What is there now counts as shown. */
  begin(lines: number): Promise<readonly TailedEvent[]>
  /** Events that no look before has given. A look that fails is repeated whole by the next. */
  look(): Promise<readonly TailedEvent[]>
}

export function createEventTail(stored: StoredEvents): EventTail {
  /** The events of the overlap that were shown, with the time at which they were stored. */
  let shown = new Map<string, number>()
  let newestMs: number | undefined

  const startMs = () => (newestMs === undefined ? undefined : newestMs - OVERLAP_MS)
  const readAll = async (): Promise<readonly TailedEvent[]> => {
    const from = startMs()
    const since = from === undefined ? undefined : new Date(from).toISOString()
    const found: TailedEvent[] = []
    for (let offset = 0; ; offset += PAGE) {
      const page = await stored.from(since, { offset, limit: PAGE })
      found.push(...page)
      if (page.length < PAGE) return found
    }
  }

  const look = async (): Promise<readonly TailedEvent[]> => {
    const fresh: TailedEvent[] = []
    for (const each of await readAll()) {
      if (shown.has(keyOf(each))) continue
      const storedMs = Date.parse(each.storedAt)
      shown.set(keyOf(each), storedMs)
      newestMs = Math.max(newestMs ?? storedMs, storedMs)
      fresh.push(each)
    }
    const from = startMs() ?? 0
    shown = new Map([...shown].filter(([, storedMs]) => storedMs >= from))
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
  }
}

/** A uuid may be stored once a day. */
function keyOf({ uuid, timestamp }: TailedEvent): string {
  return `${uuid} ${timestamp}`
}
