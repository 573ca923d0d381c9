/** Handlers of `LiveService`: events as they are stored. */
import type { WatchEventsRequest__Output } from '../../../proto/gen/sluice/v1/WatchEventsRequest.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { invalid } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import { cleanText } from '../../core/clean-text.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { UTC } from '../../core/time/zone.ts'
import { readable } from '../../event-store/postgres/reads/resolve-selection.ts'
import { createCounts } from '../../events/live/counts.ts'
import { mayTakePlace } from '../../events/live/fair-share.ts'
import { SHOWN } from '../../events/live/live-bounds.ts'
import type { LiveFilter, LiveHub } from '../../events/live/live-hub.ts'
import { type LiveMessage, openMessage } from '../../events/live/live-message.ts'
import { createLiveQueue, type LiveQueue, readLive } from '../../events/live/live-queue.ts'
import type { PeerEvents } from '../../events/live/peer-events.ts'
import type { EventReader } from '../../events/ports.ts'
import { type FilterNode, patternsIn } from '../../events/trees/filter.ts'
import type { Sql } from '../../postgres/connect.ts'
import { readCohortsOfText } from '../../query/asked-cohorts.ts'
import { createBudget, parseWhere } from '../../query/language/expressions.ts'
import { parseFilters } from '../../query/list/filters.ts'
import { localTimeOf } from '../../query/local-time-of.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import { createTimeBudget } from '../../query/time-budget.ts'
import type { Handler } from '../../wire/call.ts'
import { throttledDetail } from '../../wire/details.ts'
import { zoneOfList } from '../events/event-message.ts'
import type { Management } from '../management.ts'
import { followEnds } from './live-ends.ts'
import { createLiveFilter } from './live-filter.ts'

/** Streams of one user at a worker, and of a worker. */
export const LIVE_USER_STREAMS_MAX = 4
const LIVE_WORKER_STREAMS_MAX = 256

const WATCH_EVENTS = '/sluice.v1.LiveService/WatchEvents'
/** A guess: streams end with their readers too, so the time of a free place is unknown. */
const RETRY_AFTER_S = 10

/** Stored events, of this worker and of the others. */
export type LiveEvents = { readonly hub: LiveHub; readonly peers: PeerEvents }

export type LiveHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly events: EventReader
  readonly queryLimiter: QueryLimiter
  readonly feed: Pick<ChangeFeed, 'subscribe'>
  readonly live: LiveEvents
  readonly clock: Clock
}

type LiveHandler = Handler<WatchEventsRequest__Output, AsyncIterable<LiveMessage>>

export function createLiveHandlers(deps: LiveHandlersDeps): { readonly WatchEvents: LiveHandler } {
  const { management } = deps
  const takePlace = createPlaces()
  const admit = management.underProject(WATCH_EVENTS, {
    run: async (_call: { readonly request: WatchEventsRequest__Output }) => ({}),
  })
  return {
    WatchEvents: management.underProject(WATCH_EVENTS, {
      async run({ request, principal, access, context }) {
        const where = await conditionOf(deps, access, request, context.signal)
        const filter = {
          projectId: access.projectId,
          event: textOf(request.event),
          distinctId: textOf(request.distinct_id),
        }
        const { metadata, timeoutMs } = context
        const asking = { metadata, timeoutMs, signal: new AbortController().signal }
        const leavePlace = takePlace(principal.userId, access.organizationId)
        const check = async () => void (await admit(request, asking))
        return await openStream(deps, { filter, where, access, principal, check }, leavePlace)
      },
    }),
  }
}

type Asked = {
  readonly filter: LiveFilter
  readonly where: FilterNode | undefined
  readonly access: ProjectAccess
  readonly principal: Principal
  /** @throws {AppError} when its caller may not read it any more. */
  readonly check: () => Promise<void>
}

/** Resolves once nothing that is stored can be missed. */
async function openStream(
  deps: LiveHandlersDeps,
  asked: Asked,
  leavePlace: () => void,
): Promise<AsyncIterable<LiveMessage>> {
  const { live, clock } = deps
  const { filter, where } = asked
  const queue = createLiveQueue(clock, { ...SHOWN, onDropped: live.hub.dropped })
  const left = new AbortController()
  const sink = where === undefined ? queue : liveFilterOf(deps, asked, where, queue, left.signal)
  const watched = {
    projectId: filter.projectId,
    expiresAt: asked.principal.expiresAt,
    check: asked.check,
  }
  const releases = [leavePlace, () => left.abort(), followEnds(deps, watched, queue)]
  releases.push(live.hub.watch(filter, sink))
  const peers = live.peers(filter, where !== undefined, sink)
  releases.push(() => peers.close())
  queue.tell(openMessage(asked.access.organizationId))
  await peers.ready
  return readLive(queue, () => {
    for (const release of releases) release()
  })
}

function liveFilterOf(
  { events, queryLimiter, clock }: LiveHandlersDeps,
  { access }: Asked,
  where: FilterNode,
  queue: LiveQueue,
  signal: AbortSignal,
) {
  const scans = queryLimiter.of(access.organizationId)
  const passing = createLiveFilter(
    {
      passing: (places, left) =>
        scans.run(left, () =>
          events.matching(access.projectId, places, where, {
            signal: left,
            time: createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS),
          }),
        ),
      clock,
      signal,
    },
    queue,
  )
  return passing
}

/**
 * Counts the streams of each user and of each organization, and all.
 * @throws {AppError} `resource_exhausted`.
 */
function createPlaces(): (user: UserId, organization: OrganizationId) => () => void {
  const users = createCounts<UserId>()
  const organizations = createCounts<OrganizationId>()
  let all = 0
  return (user, organization) => {
    const own = organizations.of(organization)
    const hasRoom = mayTakePlace({ own, all, max: LIVE_WORKER_STREAMS_MAX })
    if (users.of(user) >= LIVE_USER_STREAMS_MAX || !hasRoom) {
      const detail = throttledDetail(RETRY_AFTER_S)
      throw new AppError('resource_exhausted', 'too many streams of live events', { detail })
    }
    const releases = [users.take(user), organizations.take(organization)]
    all++
    return () => {
      for (const release of releases) release()
      all--
    }
  }
}

/** @throws {AppError} `invalid_argument` of `where` or `properties`. */
async function conditionOf(
  { sql, clock, queryLimiter }: Pick<LiveHandlersDeps, 'sql' | 'clock' | 'queryLimiter'>,
  { projectId, organizationId }: ProjectAccess,
  { where, properties = '' }: Pick<WatchEventsRequest__Output, 'where' | 'properties'>,
  signal: AbortSignal,
): Promise<FilterNode | undefined> {
  const nowMs = clock.now()
  const budget = createBudget()
  const conditions = where.filter((each) => each !== '')
  const zone = (await zoneOfList(sql, projectId, { properties, where: conditions })) ?? UTC
  const parsed = parseWhere(conditions, { nowMs, local: localTimeOf(zone) }, budget)
  if (!parsed.ok) throw invalid(parsed.error, 'where')
  if (properties.trim() === '') return parsed.value
  const scans = queryLimiter.of(organizationId)
  const cohorts = await readCohortsOfText({ sql, scans, signal }, projectId, properties, nowMs)
  const filter = parseFilters(properties, { nowMs, zone }, budget, cohorts)
  if (!filter.ok) throw invalid(filter.error.detail, filter.error.attr)
  const own = sql.withSignal(signal)
  const time = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
  const hasPatterns = patternsIn(filter.value).length > 0
  const checked = hasPatterns
    ? await scans.run(signal, () => readable(own, filter.value, time))
    : filter.value
  return { kind: 'and', nodes: [checked, ...(parsed.value ? [parsed.value] : [])] }
}

function textOf(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : cleanText(text)
}
