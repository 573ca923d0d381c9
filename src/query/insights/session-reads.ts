/**
 * Gathers the reads of sessions by the questions of one snapshot. Questions about the same events
 * share one read, with all members and items that they need.
 */
import { assert } from '../../core/code.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import type { EventRole, InsightEvents } from '../../event-store/insight-events.ts'
import type { ItemEvent, SessionEvents, SessionMember } from '../../event-store/session-events.ts'
import type { Passes } from './passes.ts'

export type SessionRead = {
  readonly selection: EventSelection
  /** Events with a role have its bit. */
  readonly roles: readonly EventRole[]
  /** Constants: equal ones of several questions are the same object. */
  readonly members: readonly SessionMember[]
  readonly items: readonly ItemEvent[]
  readonly isNamed: boolean
}

export type SessionsRead =
  /** `members`: all that were read, in their order. */
  | { readonly events: SessionEvents; readonly members: readonly SessionMember[] }
  | 'too_many_events'
  | 'too_many_values'

export type SessionReads = (asked: SessionRead) => Promise<SessionsRead>

type Waiting = {
  readonly asked: SessionRead
  readonly settle: (read: Promise<SessionsRead>) => void
}

/** @param bounds of each read: see `SessionEventOptions`. */
export function createSessionReads(
  read: InsightEvents['sessionEvents'],
  passes: Pick<Passes, 'during' | 'idle'>,
  bounds: { readonly eventsMax: number; readonly valuesMax: number },
): SessionReads {
  let waiting: Waiting[] = []

  const readOnce = async (asked: SessionRead): Promise<SessionsRead> => {
    const { selection, roles, members, items, isNamed } = asked
    const options = { members, items, isNamed, ...bounds }
    const events = await passes.during(() => read(selection, roles, options))
    return typeof events === 'string' ? events : { events, members }
  }

  const begin = async () => {
    await passes.idle()
    const groups = new Map<string, Waiting[]>()
    for (const each of waiting) {
      const key = keyOf(each.asked)
      groups.set(key, [...(groups.get(key) ?? []), each])
    }
    waiting = []
    for (const group of groups.values()) {
      const shared = readOnce(unionOf(group.map(({ asked }) => asked)))
      for (const { asked, settle } of group) {
        // Each question alone has fewer different values than all of them together.
        settle(
          group.length === 1
            ? shared
            : shared.then((all) => (all === 'too_many_values' ? readOnce(asked) : all)),
        )
      }
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, settle: resolve })
      begin().catch(reject)
    })
}

function keyOf({ selection, roles, isNamed }: SessionRead): string {
  return JSON.stringify([selection, roles, isNamed])
}

function unionOf(all: readonly SessionRead[]): SessionRead {
  const [first] = all
  assert(first !== undefined, 'a group has a read')
  return {
    ...first,
    members: [...new Set(all.flatMap(({ members }) => members))],
    items: [...new Set(all.flatMap(({ items }) => items))].sort(),
  }
}
