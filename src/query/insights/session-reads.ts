/**
 * Gathers the reads of sessions by the questions of one snapshot. Questions about the same events
 * share one read, with all roles, members and items that they need, and its sessions are made once.
 */
import { yieldToEventLoop } from '../../core/clock.ts'
import { AppError, assert } from '../../core/code.ts'
import { createGate } from '../../core/gate.ts'
import type { ProjectId } from '../../core/ids.ts'
import { INSIGHT_EVENTS_OF_TURN } from '../../core/limits/limits-query.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import type { EventRole, InsightEvents } from '../../event-store/insight-events.ts'
import type { ItemEvent, SessionActor, SessionMember } from '../../event-store/session-events.ts'
import {
  EVENT_NUMBERS,
  foldSessions,
  ROLE_BITS_FROM,
  type Session,
} from '../../events/sessions/fold-sessions.ts'
import type { Passes } from './passes.ts'
import { hashOf } from './question-key.ts'
import type { BlockSource } from './session-blocks/block-source.ts'
import { type BlockPlan, hasMembers, type PlanBlocks } from './session-blocks/read-blocks.ts'
import { createTexts, type SessionTexts, textsOfRead } from './sessions/session-properties.ts'
import type { Range } from './time/grid.ts'

/** Roles of one read: an event has 31 bits. */
export const SESSION_ROLES_MAX = 24

/** Events of a project from which sessions are made. */
export type SessionSelection = {
  readonly project: ProjectId
  readonly range: Range
  /** Number of the only person, and the only distinct id, whose events are read. */
  readonly personId: string | undefined
  readonly distinctId: string | undefined
  readonly isNamed: boolean
}

export type SessionRead = {
  readonly selection: SessionSelection
  /** Events with a role have its bit. */
  readonly roles: readonly EventRole[]
  /** Constants: equal ones of several questions are the same object. */
  readonly members: readonly SessionMember[]
  readonly items: readonly ItemEvent[]
  /** Called once when the events have been read. @returns the visitor of all sessions. */
  readonly open: (read: OpenedRead) => SessionVisitor
}

export type OpenedRead = {
  readonly texts: SessionTexts
  /** Bits of the asked roles, in their order. */
  readonly roleBits: readonly number[]
}

/** Takes the sessions of one actor after those of another, in the order of their first events. */
export type SessionVisitor = (actor: SessionActor, session: Session) => void

export type TooMany = 'too_many_events' | 'too_many_values'

/** Resolves once all sessions have been visited. @returns what there is too much of to be read. */
export type SessionReads = (asked: SessionRead) => Promise<TooMany | undefined>

export type SessionReadsDeps = {
  readonly read: InsightEvents['sessionEvents']
  readonly selectionOf: (selection: SessionSelection) => EventSelection
  /** Finds the blocks of some days; undefined where none are used. */
  readonly planBlocks: PlanBlocks | undefined
  readonly passes: Pick<Passes, 'during' | 'idle'>
  /** Bounds of a read of the store: see `SessionEventOptions`. */
  readonly bounds: { readonly eventsMax: number; readonly valuesMax: number }
}

type Waiting = {
  readonly asked: SessionRead
  /** Hashes of the roles: equal ones share a bit. */
  readonly roles: readonly string[]
  readonly settle: (outcome: Promise<TooMany | undefined>) => void
}

export function createSessionReads(deps: SessionReadsDeps): SessionReads {
  const { passes } = deps
  let waiting: Waiting[] = []

  const begin = async () => {
    await passes.idle()
    const groups = groupsOf(waiting)
    waiting = []
    for (const { members } of groups) {
      const outcomes = readGroup(deps, members)
      for (const each of members) each.settle(outcomes.then((told) => told.get(each)))
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      const roles = asked.roles.map((role) => hashOf(role))
      waiting.push({ asked, roles, settle: resolve })
      begin().catch(reject)
    })
}

/**
 * One read of blocks at a time: the blocks of a range may take hundreds of megabytes, and memory is
 * one for the process. At most as many wait as there are connections for queries.
 */
const oneOfBlocks = createGate({
  runningMax: 1,
  waitingMax: Infinity,
  refuse: () => new AppError('resource_exhausted', 'too many reads of blocks'),
})

type Outcomes = ReadonlyMap<Waiting, TooMany | undefined>

/** Reads for questions about the same events: from blocks for those that these serve. */
async function readGroup(deps: SessionReadsDeps, members: readonly Waiting[]): Promise<Outcomes> {
  const { passes } = deps
  const outcomes = new Map<Waiting, TooMany | undefined>()
  const share = async (some: readonly Waiting[], read: (union: Union) => Promise<Read>) => {
    const union = unionOf(some)
    const source = await passes.during(() => read(union))
    if (typeof source !== 'string') await walk(source, some, union)
    for (const each of some) outcomes.set(each, typeof source === 'string' ? source : undefined)
    return source
  }
  const plan = await planFor(deps, members)
  const served = members.filter((each) => isServed(plan, each))
  if (plan !== undefined && served.length > 0) {
    await oneOfBlocks.run(() => share(served, ({ roles }) => plan.read(roles)))
  }
  // Blocks have bounds of their own: the store may read what is too much for them.
  const others = members.filter((each) => outcomes.get(each) !== undefined || !outcomes.has(each))
  if (others.length === 0) return outcomes
  const told = await share(others, (union) => readStore(deps, union))
  if (told !== 'too_many_values' || others.length === 1) return outcomes
  // Each question alone has fewer different values than all of them together.
  for (const each of others) await share([each], (union) => readStore(deps, union))
  return outcomes
}

type Read = BlockSource | TooMany

async function readStore(
  { read, selectionOf, bounds }: SessionReadsDeps,
  { selection, roles, members, items }: Union,
): Promise<Read> {
  const actors = selection.isNamed ? 'named' : 'unnamed'
  const options = { members, items, actors, ...bounds } as const
  const events = await read(selectionOf(selection), roles, options)
  if (typeof events === 'string') return events
  return { actors: events.actors, texts: textsOfRead(events, members) }
}

/** Plan of the blocks for questions about all events, whoever they are of. */
async function planFor(
  { planBlocks, passes }: SessionReadsDeps,
  [first]: readonly Waiting[],
): Promise<BlockPlan | undefined> {
  if (planBlocks === undefined || first === undefined) return undefined
  const { project, range, personId, distinctId, isNamed } = first.asked.selection
  if (isNamed || personId !== undefined || distinctId !== undefined) return undefined
  return await passes.during(() => planBlocks(project, range))
}

function isServed(plan: BlockPlan | undefined, { asked }: Waiting): boolean {
  return plan !== undefined && hasMembers(asked.members) && plan.serves(asked.roles)
}

async function walk(
  { actors, texts: source }: BlockSource,
  waiting: readonly Waiting[],
  { hashes }: Union,
): Promise<void> {
  const texts = createTexts(source)
  const visitors = waiting.map(({ asked, roles }) =>
    asked.open({
      texts,
      roleBits: roles.map((hash) => 2 ** (ROLE_BITS_FROM + hashes.indexOf(hash))),
    }),
  )
  let ofTurn = 0
  for (const actor of actors) {
    ofTurn += actor.events.length / EVENT_NUMBERS
    if (ofTurn > INSIGHT_EVENTS_OF_TURN) {
      ofTurn = 0
      await yieldToEventLoop()
    }
    for (const session of foldSessions(actor.events)) {
      for (const visit of visitors) visit(actor, session)
    }
  }
}

type Group = { readonly key: string; readonly members: Waiting[]; roles: readonly string[] }

/** Reads of the same events, as long as an event has bits for all their roles. */
function groupsOf(waiting: readonly Waiting[]): readonly Group[] {
  const groups: Group[] = []
  for (const each of waiting) {
    const key = hashOf(each.asked.selection)
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

type Union = Omit<SessionRead, 'open'> & {
  /** Hashes of the roles, in the order of their bits. */
  readonly hashes: readonly string[]
}

function unionOf(waiting: readonly Waiting[]): Union {
  const all = waiting.map(({ asked }) => asked)
  const [first] = all
  assert(first !== undefined, 'a group has a read')
  const byHash = new Map(
    waiting.flatMap(({ asked, roles }) =>
      asked.roles.map((role, nth) => [roles[nth] ?? '', role] as const),
    ),
  )
  return {
    selection: first.selection,
    roles: [...byHash.values()],
    hashes: [...byHash.keys()],
    members: [...new Set(all.flatMap(({ members }) => members))],
    items: [...new Set(all.flatMap(({ items }) => items))].sort(),
  }
}
