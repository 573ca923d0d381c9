/**
 * Gathers reads of the same events by the questions of one snapshot, and counts them in one pass
 * over the events. A count waits until no other read of the snapshot is running, because questions
 * request their next reads when one ends.
 */

import type { EventSelection } from '../../event-store/event-selection.ts'
import type { BreakdownSource, PassPart, PassRow } from '../../event-store/insight-events.ts'

export type Passes = {
  /** The rows of one part, see `PassPart`. Equal ones are counted once. */
  count(selection: EventSelection, part: PassPart): Promise<readonly PassRow[]>
  /** Passes wait for `read`, after which more may be asked for. */
  during<T>(read: () => Promise<T>): Promise<T>
  /** Resolves once no read is running. */
  idle(): Promise<void>
}

/** Reads some parts of the same events; see `countInOnePass`. */
export type ReadPass = (
  selection: EventSelection,
  parts: readonly PassPart[],
  joins: BreakdownSource | undefined,
) => Promise<readonly (readonly PassRow[])[]>

type Waiting = {
  readonly selection: EventSelection
  readonly part: PassPart
  readonly settle: (rows: Promise<readonly PassRow[]>) => void
}

export function createPasses(read: ReadPass): Passes {
  let reading = 0
  let waiting: Waiting[] = []
  const idling: (() => void)[] = []

  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    reading += 1
    try {
      return await work()
    } finally {
      reading -= 1
      begin()
    }
  }

  /** Runs after the requests that the end of the last read has triggered. */
  const begin = () => {
    setImmediate(() => {
      if (reading > 0) return
      for (const resume of idling.splice(0)) resume()
      if (waiting.length === 0) return
      const all = new Map<string, Waiting[]>()
      for (const one of waiting) all.set(eventsOf(one), [...(all.get(eventsOf(one)) ?? []), one])
      waiting = []
      for (const asked of all.values()) pass(asked)
    })
  }

  const pass = (asked: readonly Waiting[]) => {
    const [first] = asked
    if (first === undefined) return
    const parts = [...new Map(asked.map(({ part }) => [JSON.stringify(part), part])).values()]
    const places = new Map(parts.map((part, place) => [JSON.stringify(part), place]))
    const rows = during(() => read(first.selection, parts, joinedBy(first.part)))
    for (const { part, settle } of asked) {
      settle(rows.then((byPart) => byPart[places.get(JSON.stringify(part)) ?? -1] ?? []))
    }
  }

  return {
    during,
    idle: () =>
      new Promise((resolve) => {
        idling.push(resolve)
        begin()
      }),
    count: (selection, part) =>
      new Promise((resolve) => {
        waiting.push({ selection, part, settle: resolve })
        begin()
      }),
  }
}

/** Key of a pass: questions with the same key can share one. */
function eventsOf({ selection, part }: Waiting): string {
  const read = Object.entries(selection).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([read, joinedBy(part)])
}

/** A breakdown whose value is not in the event. */
function joinedBy(part: PassPart): BreakdownSource | undefined {
  if (part.kind !== 'values') return undefined
  return ['event', 'event_name'].includes(part.source.kind) ? undefined : part.source
}
