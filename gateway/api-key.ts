import type { KeyAnswer__Output } from '../proto/gen/sluice/v1/KeyAnswer.ts'
import { type ProjectId, projectId, type Revision, revision } from '../src/core/ids.ts'
import { KEY_CACHE_MAX, KEY_CACHE_NEGATIVE_MAX } from '../src/core/limits.ts'
import { createLru } from './cache/lru.ts'
import type { NewsFeed } from './workers/project-news.ts'

/** What a gateway knows of a project. */
export type GatewayProject = {
  readonly id: ProjectId
  readonly revision: Revision
  readonly anonymizeIps: boolean
  readonly apiToken: string
  readonly hasFlags: boolean
  readonly capturePerformance: boolean
}

export type KeyResolution =
  | { readonly kind: 'project'; readonly project: GatewayProject }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid_personal' }

export type KeyQuestion = {
  readonly token: string
  /** Given with a personal key; `undefined` for project tokens. */
  readonly projectId: number | undefined
}

/**
 * Project API key -> project. Cached in bounds, unknown keys apart from known ones so that a flood
 * of random keys flushes nothing useful. The rule for when the cache is wrong: news of a project
 * voids that project's entries, news of keys voids everything, and silence of the feed voids the
 * use of all of it (`NewsFeed.fresh`).
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

export function createKeyResolver(deps: {
  feed: NewsFeed
  ask: (question: KeyQuestion) => Promise<KeyAnswer__Output>
}): KeyResolver {
  const known = createLru<string, KeyResolution>({ entriesMax: KEY_CACHE_MAX })
  const unknown = createLru<string, KeyResolution>({ entriesMax: KEY_CACHE_NEGATIVE_MAX })
  const keysOf = new Map<ProjectId, Set<string>>()
  const asking = new Map<string, Promise<KeyResolution>>()
  // Raised by every void: an answer that was asked for before is used once and not kept.
  let generation = 0

  const forget = (project: ProjectId) => {
    generation++
    for (const key of keysOf.get(project) ?? []) known.delete(key)
    keysOf.delete(project)
    asking.clear()
  }
  const forgetAll = () => {
    generation++
    known.clear()
    unknown.clear()
    keysOf.clear()
    asking.clear()
  }
  deps.feed.subscribe((news) => {
    if (news.kind === 'keys') forgetAll()
    else forget(news.projectId)
  })

  const keep = (key: string, resolution: KeyResolution) => {
    if (resolution.kind !== 'project') {
      unknown.set(key, resolution)
      return
    }
    known.set(key, resolution)
    const keys = keysOf.get(resolution.project.id)
    if (keys === undefined) keysOf.set(resolution.project.id, new Set([key]))
    else keys.add(key)
    if (keysOf.size > KEY_CACHE_MAX) forgetAll() // Keys of evicted entries add up: start anew.
  }

  const ask = async (key: string, question: KeyQuestion): Promise<KeyResolution> => {
    const askedIn = generation
    const resolution = toResolution(await deps.ask(question))
    if (askedIn === generation) keep(key, resolution)
    return resolution
  }

  return {
    peek(question) {
      if (!deps.feed.fresh()) return undefined
      const key = cacheKey(question)
      return known.get(key) ?? unknown.get(key)
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
      capturePerformance: project.capture_performance,
    },
  }
}
