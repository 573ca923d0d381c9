/** Reads events that sessions are made of: ended days from blocks, others from the store. */
import { promisify } from 'node:util'
import { inflateRaw, type ZlibOptions } from 'node:zlib'
import type { ProjectId } from '../../../core/ids.ts'
import { ownTurn } from '../../../core/work/turns.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import type { EventRole, InsightEvents } from '../../../event-store/insight-events.ts'
import { SESSION_ITEMS, type SessionMember } from '../../../event-store/session-events.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import type { Db } from '../../../postgres/db.ts'
import {
  type BlockDay,
  findBlockDays,
  readBlocks,
  SESSION_BLOCK_DAYS,
} from '../../../store/answers/session-block-store.ts'
import { hashOf } from '../question-key.ts'
import type { Range } from '../time/grid.ts'
import { type BlockRoles, type BlockSource, gatherBlocks, type RoleIn } from './block-source.ts'
import {
  BLOCK_FORMAT,
  BLOCK_MEMBERS,
  openBlock,
  WRITTEN_MEMBERS,
  writeBlock,
} from './session-block.ts'

/** Events of a question that blocks answer: each takes some thirty bytes of memory meanwhile. */
const BLOCK_EVENTS_MAX = 12_000_000
const IDS_MAX = 3_000_000
/** Different members of the events of a block, with their names. */
const BLOCK_VALUES_MAX = 500_000
/** Longest range of events. */
const RANGE_DAYS_MAX = 2 * SESSION_BLOCK_DAYS

export type BlockDeps = {
  readonly events: Pick<InsightEvents, 'store' | 'sessionEvents' | 'personsOfIds'>
  /** All events of a project in a range. */
  readonly selectionOf: (project: ProjectId, range: Range) => EventSelection
  /** Bounds of a read of the store. */
  readonly bounds: { readonly eventsMax: number; readonly valuesMax: number }
}

/** Days whose blocks one statement reads. */
const DAYS_OF_READ = 15

type TooMany = 'too_many_events' | 'too_many_values'

/** Days of a range, with the blocks that there are. */
export type BlockPlan = {
  /** Whether a question with these roles is to be read from the blocks. */
  serves(roles: readonly EventRole[]): boolean
  /** Reads all events: their bits are in the order of the roles. */
  read(roles: readonly EventRole[]): Promise<BlockSource | TooMany>
}

export type PlanBlocks = (project: ProjectId, range: Range) => Promise<BlockPlan | undefined>

/** Form of the blocks of a store. */
export function formOf(store: InsightEvents['store']): string {
  return hashOf('session block', BLOCK_FORMAT, store, BLOCK_MEMBERS, SESSION_ITEMS)
}

/** Whether the events of blocks have these members. */
export function hasMembers(members: readonly SessionMember[]): boolean {
  return members.every((member) => BLOCK_MEMBERS.includes(member))
}

/** @param timed runs a statement on `db` within what is left of the time. */
export function blockPlans(
  deps: BlockDeps,
  db: Db,
  timed: <T>(read: () => Promise<T>) => Promise<T>,
): PlanBlocks {
  let persons: ReturnType<InsightEvents['personsOfIds']> | undefined
  // Each snapshot is of one project, and its ranges have the same persons.
  const readPersons = (project: ProjectId) => {
    persons ??= deps.events.personsOfIds(project, IDS_MAX)
    return persons
  }
  return async (project, range) => {
    const first = Math.floor(range.fromMs / DAY_MS)
    const last = Math.floor((range.untilMs - 1) / DAY_MS)
    if (last - first > RANGE_DAYS_MAX) return undefined
    const form = formOf(deps.events.store)
    const days = await timed(() => findBlockDays(db, project, { first, last }, form))
    if (days.every(({ block }) => block === undefined)) return undefined
    const load = (own: readonly number[]) => timed(() => readBlocks(db, project, own))
    return planOf(deps, project, days, { load, readPersons })
  }
}

type Loads = {
  load(days: readonly number[]): ReturnType<typeof readBlocks>
  readPersons(project: ProjectId): ReturnType<InsightEvents['personsOfIds']>
}

function planOf(
  deps: BlockDeps,
  project: ProjectId,
  days: readonly BlockDay[],
  { load, readPersons }: Loads,
): BlockPlan {
  const { bounds } = deps
  const storedIn = (some: readonly { readonly stored: number }[]) =>
    some.reduce((sum, { stored }) => sum + stored, 0)
  return {
    serves: (roles) => days.some((day) => placesIn(day, roles) !== undefined),
    async read(roles) {
      const kept: KeptDay[] = []
      const left: BlockDay[] = []
      for (const day of days) {
        const places = placesIn(day, roles)
        if (places === undefined) left.push(day)
        else kept.push({ day: day.day, roles: places })
      }
      const others = runsOf(left)
      const isTooMuch = storedIn(days) > BLOCK_EVENTS_MAX || storedIn(others) > bounds.eventsMax
      if (isTooMuch) return 'too_many_events'
      const opening: Promise<BlockRoles>[] = []
      for (let from = 0; from < kept.length; from += DAYS_OF_READ) {
        const some = kept.slice(from, from + DAYS_OF_READ)
        const packed = await load(some.map(({ day }) => day))
        const opened = some.map((day) => open(day, packed))
        for (const each of opened) each.catch(() => {}) // It fails the read below, not the process.
        opening.push(...opened)
      }
      // The store reads while blocks are opened here.
      const [blocks, read, persons] = await Promise.all([
        Promise.all(opening),
        readAll(deps, project, others, roles),
        readPersons(project),
      ])
      if (persons === 'too_many') return 'too_many_values'
      return typeof read === 'string' ? read : await gatherBlocks([...blocks, ...read], persons)
    },
  }
}

/** A day that is read from its block. */
type KeptDay = { readonly day: number; readonly roles: readonly RoleIn[] }

/** A thread inflates the block while others come, or are opened here: one in each turn. */
async function open(
  { day, roles }: KeptDay,
  packed: Awaited<ReturnType<typeof readBlocks>>,
): Promise<BlockRoles> {
  const bytes = packed.get(day) ?? Buffer.alloc(0)
  const chunkSize = Math.max(INFLATED_BYTES_MIN, INFLATED * bytes.length)
  const inflated = await inflate(bytes, { chunkSize })
  await ownTurn()
  return { block: openBlock(inflated), roles }
}

/** Most blocks have fewer times their stored bytes, and come in one piece then. */
const INFLATED = 3
const INFLATED_BYTES_MIN = 4_096

async function readAll(
  deps: BlockDeps,
  project: ProjectId,
  runs: readonly Run[],
  roles: readonly EventRole[],
): Promise<readonly BlockRoles[] | TooMany> {
  const blocks: BlockRoles[] = []
  for (const run of runs) {
    const bytes = await readBytes(deps, project, run, roles)
    if (typeof bytes === 'string') return bytes
    blocks.push({ block: openBlock(bytes), roles: roles.map((_, place) => ({ place })) })
  }
  return blocks
}

const inflate = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)

/** Reads the events of some days as the bytes of one block. */
export async function readBytes(
  { events, selectionOf, bounds }: BlockDeps,
  project: ProjectId,
  { first, last }: { readonly first: number; readonly last: number },
  roles: readonly EventRole[],
): Promise<Buffer | TooMany> {
  const range = { fromMs: first * DAY_MS, untilMs: (last + 1) * DAY_MS }
  const read = await events.sessionEvents(selectionOf(project, range), roles, {
    members: WRITTEN_MEMBERS,
    items: ['$pageview', '$screen', '$autocapture'],
    actors: 'ids',
    ...bounds,
    valuesMax: BLOCK_VALUES_MAX,
  })
  return typeof read === 'string' ? read : await writeBlock(read)
}

/** Roles in the block of a day; undefined when it lacks one, or there is none. */
function placesIn({ block }: BlockDay, roles: readonly EventRole[]): RoleIn[] | undefined {
  if (block === undefined) return undefined
  const places = roles.map(
    (role): RoleIn =>
      isOfName(role) ? { event: role.event } : { place: block.roles.indexOf(hashOf(role)) },
  )
  return places.some((role) => 'place' in role && role.place < 0) ? undefined : places
}

/** Whether all events of a name have a role, which blocks need no bit for. */
export function isOfName({ where, needsPerson }: EventRole): boolean {
  return !needsPerson && (where === undefined || isAlways(where))
}

function isAlways(node: FilterNode): boolean {
  return node.kind === 'and' && node.nodes.every(isAlways)
}

type Run = { readonly first: number; last: number; stored: number }

/** Days next to each other are read at once. */
function runsOf(days: readonly BlockDay[]): readonly Run[] {
  const runs: Run[] = []
  for (const { day, stored } of days) {
    const run = runs.at(-1)
    if (run === undefined || run.last + 1 !== day) runs.push({ first: day, last: day, stored })
    else {
      run.last = day
      run.stored += stored
    }
  }
  return runs
}
