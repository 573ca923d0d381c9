import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import { createLru } from '../../src/core/bounded-map.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, type Code } from '../../src/core/code.ts'
import { type ProjectId, projectId, type Revision, revision } from '../../src/core/ids.ts'
import {
  KEY_CACHE_MAX,
  KEY_CACHE_NEGATIVE_MAX,
  SNAPSHOT_STALE_MAX_MS,
} from '../../src/core/limits/limits.ts'
import type { NewsFeed } from '../workers/news-hub.ts'

/** What a gateway knows of a project. */
export type GatewayProject = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly anonymizeIps: boolean
  readonly apiToken: string
  readonly hasFlags: boolean
  /** A plugin config is enabled: its events may be slow to answer. */
  readonly hasPlugins: boolean
  readonly capturePerformance: boolean
}

export type KeyResolution =
  | { readonly kind: 'project'; readonly project: GatewayProject }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid_personal' }

type Known = {
  readonly resolution: KeyResolution
  readonly generation: number
  isVoid: boolean
  /** When it was asked for; monotonic. */
  readonly at: number
}

export type KeyQuestion = {
  readonly token: string
  /** Given with a personal key; `undefined` for project tokens. */
  readonly projectId: number | undefined
}

/**
 * Project API key -> project. Cached in bounds, unknown keys apart from known ones so that a flood
 * of random keys flushes nothing useful. The rule for when the cache is wrong: news of a project
 * voids that project's entries, news of keys voids everything, and silence of the feed voids the
 * use of all of it (`NewsFeed.fresh`). What is void is asked again; while nobody can answer because
 * the database is away, the last answer serves for as long as snapshots do, since events and flags
 * go on then.
 */
export type KeyResolver = {
  /** From the cache, at once; `undefined` when it must be asked. */
  peek(question: KeyQuestion): KeyResolution | undefined
  /** @throws {AppError} `unavailable` when nobody can answer. */
  resolve(question: KeyQuestion): Promise<KeyResolution>
  /** Forgets a project after a change made through this gateway, before its answer goes out. */
  forget(project: ProjectId): void
  forgetAll(): void
}

/** Nobody has said what the key is. */
const AWAY: ReadonlySet<Code> = new Set(['unavailable', 'deadline_exceeded'])

export function createKeyResolver(deps: {
  feed: Pick<NewsFeed, 'fresh' | 'subscribe'>
  clock: Pick<Clock, 'monotonic'>
  ask: (question: KeyQuestion) => Promise<KeyAnswer__Output>
}): KeyResolver {
  const { clock } = deps
  const known = createLru<string, Known>({ entriesMax: KEY_CACHE_MAX })
  const unknown = createLru<string, KeyResolution>({ entriesMax: KEY_CACHE_NEGATIVE_MAX })
  const keysOf = new Map<ProjectId, Set<string>>()
  const asking = new Map<string, Promise<KeyResolution>>()
  // Raised by every void: what was asked for before one that concerns it is void when it comes.
  let generation = 0
  const voidedIn = new Map<ProjectId, number>()
  // Entries of an earlier generation than this are void, whichever project they are of.
  let voidBefore = 0

  const forget = (project: ProjectId) => {
    generation++
    voidedIn.set(project, generation)
    // Forgotten, they count as voids of everything that is being asked for.
    if (voidedIn.size > KEY_CACHE_MAX) forgetAll()
    for (const key of keysOf.get(project) ?? []) {
      const entry = known.get(key)
      if (entry !== undefined) entry.isVoid = true
    }
    asking.clear()
  }
  const forgetAll = () => {
    generation++
    voidBefore = generation
    voidedIn.clear()
    unknown.clear()
    asking.clear()
  }
  deps.feed.subscribe((news) => {
    if (news.kind === 'keys') forgetAll()
    else forget(news.projectId)
  })

  /** What is void when it comes is kept all the same, for times when nobody can say more. */
  const keep = (key: string, resolution: KeyResolution, askedIn: number) => {
    if (resolution.kind !== 'project') {
      known.delete(key)
      if (askedIn === generation) unknown.set(key, resolution)
      return
    }
    const voided = Math.max(voidBefore, voidedIn.get(resolution.project.id) ?? 0)
    const isVoid = askedIn < voided
    if (isVoid && (known.get(key)?.generation ?? -1) >= voided) return // A later answer is there.
    known.set(key, { resolution, generation, isVoid, at: clock.monotonic() })
    const keys = keysOf.get(resolution.project.id)
    if (keys === undefined) keysOf.set(resolution.project.id, new Set([key]))
    else keys.add(key)
    if (keysOf.size <= KEY_CACHE_MAX) return
    // Keys of evicted entries add up: start anew.
    known.clear()
    keysOf.clear()
  }

  const ask = async (key: string, question: KeyQuestion): Promise<KeyResolution> => {
    const askedIn = generation
    let resolution: KeyResolution
    try {
      resolution = toResolution(await deps.ask(question))
    } catch (error) {
      const last = known.get(key)
      const isUsable = last !== undefined && clock.monotonic() - last.at <= SNAPSHOT_STALE_MAX_MS
      if (!isUsable || !(error instanceof AppError) || !AWAY.has(error.code)) throw error
      return unrevised(last.resolution)
    }
    keep(key, resolution, askedIn)
    return resolution
  }

  return {
    peek(question) {
      if (!deps.feed.fresh()) return undefined
      const key = cacheKey(question)
      const entry = known.get(key)
      if (entry === undefined) return unknown.get(key)
      return entry.isVoid || entry.generation < voidBefore ? undefined : entry.resolution
    },
    resolve(question) {
      const key = cacheKey(question)
      const running = asking.get(key)
      if (running !== undefined) return running
      const asked = ask(key, question).finally(() => {
        if (asking.get(key) === asked) asking.delete(key)
      })
      asking.set(key, asked)
      return asked
    },
    forget,
    forgetAll,
  }
}

/** Nobody knows of which revision the project is: no answer that was kept may be used. */
function unrevised(resolution: KeyResolution): KeyResolution {
  if (resolution.kind !== 'project') return resolution
  return { kind: 'project', project: { ...resolution.project, revision: revision(0) } }
}

function cacheKey({ token, projectId: project }: KeyQuestion): string {
  return project === undefined ? token : `${project} ${token}`
}

function toResolution(answer: KeyAnswer__Output): KeyResolution {
  if (answer.kind === 'KEY_KIND_INVALID_PERSONAL') return { kind: 'invalid_personal' }
  const { project } = answer
  if (answer.kind === 'KEY_KIND_UNKNOWN' || project === null) return { kind: 'unknown' }
  return {
    kind: 'project',
    project: {
      id: projectId(project.id),
      revision: revision(project.revision),
      anonymizeIps: project.anonymize_ips,
      apiToken: project.api_token,
      hasFlags: project.has_flags,
      hasPlugins: project.has_plugins,
      capturePerformance: project.capture_performance,
    },
  }
}
