import type { KeyAnswer__Output } from '../../proto/gen/sluice/v1/KeyAnswer.ts'
import type { SessionRecording__Output } from '../../proto/gen/sluice/v1/SessionRecording.ts'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, type Code } from '../../src/core/code.ts'
import { type ProjectId, projectId, revision } from '../../src/core/ids.ts'
import { SNAPSHOT_STALE_MAX_MS } from '../../src/core/limits/limits.ts'
import type { GatewayChangeFeed } from '../workers/change-feed.ts'
import type { GatewayProject, KeyResolution, PublicScope } from './gateway-project.ts'
import { KnownKeys } from './known-keys.ts'

export type KeyQuestion = {
  readonly token: string
  /** Project id in the request; `NO_PROJECT` for a value that cannot be an id. */
  readonly projectId: number | undefined
}

/**
 * Finds the project of a key, with a bounded cache. The cache is wrong when a project or its keys
 * changed: a change of a project voids its entries, a change of keys all, and no entry is used
 * while the change feed is silent (`GatewayChangeFeed.fresh`). A void entry is asked for again.
 * While the database is away, the last answer serves for as long as snapshots do; not that of a
 * personal key that has expired or may have been revoked since.
 */
export type KeyResolver = {
  /** From the cache, at once; `undefined` when it must be asked. */
  peek(question: KeyQuestion): KeyResolution | undefined
  /** @throws {AppError} `unavailable` when no worker can answer. */
  resolve(question: KeyQuestion): Promise<KeyResolution>
  /** Forgets a project after a change made through this gateway, before its answer goes out. */
  forget(project: ProjectId): void
  forgetAll(): void
}

/** Stands for an id that no project can have, so that no personal key reaches it. */
export const NO_PROJECT = -1

/** Errors that leave the key's project unknown. */
const AWAY: ReadonlySet<Code> = new Set(['unavailable', 'deadline_exceeded'])

export function createKeyResolver({
  feed,
  clock,
  ask,
}: {
  readonly feed: Pick<GatewayChangeFeed, 'fresh' | 'subscribe'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly ask: (question: KeyQuestion) => Promise<KeyAnswer__Output>
}): KeyResolver {
  const known = new KnownKeys(clock)
  const asking = new Map<string, Promise<KeyResolution>>()

  const forget = (project: ProjectId) => {
    known.voidProject(project)
    asking.clear()
  }
  const forgetAll = () => {
    known.voidAll()
    asking.clear()
  }
  feed.subscribe((change) => {
    if (change.kind === 'keys') forgetAll()
    else forget(change.projectId)
  })

  const resolveAnew = async (key: string, question: KeyQuestion): Promise<KeyResolution> => {
    const askedIn = known.generation
    const askedAt = clock.monotonic()
    let answer: KeyAnswer__Output
    try {
      answer = await ask(question)
    } catch (error) {
      const last = known.last(key, question.projectId !== undefined)
      const isUsable = last !== undefined && clock.monotonic() - last.at <= SNAPSHOT_STALE_MAX_MS
      if (!isUsable || !(error instanceof AppError) || !AWAY.has(error.code)) throw error
      return unrevised(last.resolution)
    }
    const resolution = toResolution(answer)
    const expiresAt = askedAt + (answer.expires_in_ms ?? Number.POSITIVE_INFINITY)
    known.keep(key, resolution, askedIn, expiresAt)
    return resolution
  }

  return {
    peek: (question) => (feed.fresh() ? known.peek(cacheKey(question)) : undefined),
    resolve(question) {
      const key = cacheKey(question)
      const running = asking.get(key)
      if (running !== undefined) return running
      const asked = resolveAnew(key, question).finally(() => {
        if (asking.get(key) === asked) asking.delete(key)
      })
      asking.set(key, asked)
      return asked
    },
    forget,
    forgetAll,
  }
}

/** Removes the revision: it may be old, and no cached answer of decide may be used. */
function unrevised(resolution: KeyResolution): KeyResolution {
  if (resolution.kind !== 'project') return resolution
  return { ...resolution, project: { ...resolution.project, revision: revision(0) } }
}

function cacheKey({ token, projectId: project }: KeyQuestion): string {
  return project === undefined ? token : `${project} ${token}`
}

function toResolution(answer: KeyAnswer__Output): KeyResolution {
  if (answer.kind === 'KEY_KIND_INVALID_PERSONAL') return { kind: 'invalid_personal' }
  if (answer.kind === 'KEY_KIND_UNDETERMINED') return { kind: 'undetermined' }
  const { project } = answer
  if (answer.kind === 'KEY_KIND_UNKNOWN' || project === null) return { kind: 'unknown' }
  const lacks: PublicScope[] = []
  if (answer.lacks_event_write) lacks.push('event:write')
  if (answer.lacks_feature_flag_read) lacks.push('feature_flag:read')
  return {
    kind: 'project',
    ...(lacks.length === 0 ? {} : { lacks }),
    ...(answer.is_personal ? { isPersonal: true } : {}),
    project: {
      id: projectId(project.id),
      revision: revision(project.revision),
      anonymizeIps: project.anonymize_ips,
      apiToken: project.api_token,
      hasFlags: project.has_flags,
      hasPlugins: project.has_plugins,
      capturePerformance: project.capture_performance,
      ...recordingOf(project.session_recording),
    },
  }
}

/** A worker of an older release says nothing of it. */
function recordingOf(
  given: SessionRecording__Output | null | undefined,
): Pick<GatewayProject, 'sessionRecording'> {
  if (given === null || given === undefined) return {}
  return { sessionRecording: { consoleLog: given.console_log, domains: given.domains ?? [] } }
}
