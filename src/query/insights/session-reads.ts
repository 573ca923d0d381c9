/**
 * Gathers the reads of sessions by the questions of one snapshot. Questions about the same events
 * share one read, with all roles, members and items that they need.
 */
import { assert } from '../../core/code.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import type { EventRole, InsightEvents } from '../../event-store/insight-events.ts'
import type { ItemEvent, SessionEvents, SessionMember } from '../../event-store/session-events.ts'
import type { Passes } from './passes.ts'
import { hashOf } from './question-key.ts'

/** Roles of one read: an event has 31 bits. */
export const SESSION_ROLES_MAX = 24

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
  | {
      readonly events: SessionEvents
      /** All that were read, in their order. */
      readonly members: readonly SessionMember[]
      /** Places of the bits of the asked roles. */
      readonly roles: readonly number[]
    }
  | 'too_many_events'
  | 'too_many_values'

export type SessionReads = (asked: SessionRead) => Promise<SessionsRead>

type Waiting = {
  readonly asked: SessionRead
  /** Hashes of the roles: equal ones share a bit. */
  readonly roles: readonly string[]
  readonly settle: (read: Promise<SessionsRead>) => void
}

/** @param bounds of each read: see `SessionEventOptions`. */
export function createSessionReads(
  read: InsightEvents['sessionEvents'],
  passes: Pick<Passes, 'during' | 'idle'>,
  bounds: { readonly eventsMax: number; readonly valuesMax: number },
): SessionReads {
  let waiting: Waiting[] = []

  const readOnce = async (asked: SessionRead): Promise<Shared> => {
    const { selection, roles, members, items, isNamed } = asked
    const options = { members, items, isNamed, ...bounds }
    const events = await passes.during(() => read(selection, roles, options))
    return typeof events === 'string' ? events : { events, members }
  }

  const begin = async () => {
    await passes.idle()
    const groups = groupsOf(waiting)
    waiting = []
    for (const { members, roles } of groups) {
      const shared = readOnce(unionOf(members, roles))
      for (const { asked, roles: own, settle } of members) {
        const places = own.map((role) => roles.indexOf(role))
        // Each question alone has fewer different values than all of them together.
        const alone = async (): Promise<SessionsRead> =>
          withRoles(await readOnce(asked), [...own.keys()])
        settle(
          shared.then((all) =>
            all === 'too_many_values' && members.length > 1 ? alone() : withRoles(all, places),
          ),
        )
      }
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      const roles = asked.roles.map((role) => hashOf(role))
      waiting.push({ asked, roles, settle: resolve })
      begin().catch(reject)
    })
}

/** Answer of a read to all that share it. */
type Shared = Omit<Exclude<SessionsRead, string>, 'roles'> | Extract<SessionsRead, string>

function withRoles(read: Shared, roles: readonly number[]): SessionsRead {
  return typeof read === 'string' ? read : { ...read, roles }
}

type Group = { readonly key: string; readonly members: Waiting[]; roles: readonly string[] }

/** Reads of the same events, as long as an event has bits for all their roles. */
function groupsOf(waiting: readonly Waiting[]): readonly Group[] {
  const groups: Group[] = []
  for (const each of waiting) {
    const { selection, isNamed } = each.asked
    const key = hashOf(selection, isNamed)
    const union = (roles: readonly string[]) => [...new Set([...roles, ...each.roles])]
    const group = groups.find(
      (other) => other.key === key && union(other.roles).length <= SESSION_ROLES_MAX,
    )
    if (group === undefined) groups.push({ key, members: [each], roles: union([]) })
    else {
      group.members.push(each)
      group.roles = union(group.roles)
    }
  }
  return groups
}

/** @param roles hashes of the roles, in the order of their bits. */
function unionOf(waiting: readonly Waiting[], roles: readonly string[]): SessionRead {
  const all = waiting.map(({ asked }) => asked)
  const [first] = all
  assert(first !== undefined, 'a group has a read')
  const byHash = new Map(
    waiting.flatMap(({ asked, roles: own }) => own.map((hash, nth) => [hash, asked.roles[nth]])),
  )
  return {
    ...first,
    roles: roles.flatMap((hash) => byHash.get(hash) ?? []),
    members: [...new Set(all.flatMap(({ members }) => members))],
    items: [...new Set(all.flatMap(({ items }) => items))].sort(),
  }
}
