/**
 * Propagation of this worker's changes. Each change has a number; the gateways confirm the newest
 * one that they have taken in, and with it all before it. Times are of this worker's clock alone:
 * from the commit until the arrival of the confirmation, so they are never too short.
 */
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { gatewaysOf } from '../../../cluster/members/view.ts'
import { shardOf } from '../../../cluster/shards/shard.ts'
import type { Shards } from '../../../cluster/shards/shards-port.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId, Revision } from '../../core/ids.ts'

/** Changes of which a worker remembers the confirmations; above it the oldest is forgotten. */
const CHANGES_MAX = 1_024

export type Propagation = {
  /**
   * Notes that a gateway has taken in the first `told` changes. A gateway that joined after a change
   * never held an older state, so no time counts for it.
   */
  confirm(memberId: string, told: number): void
  /**
   * Propagation of the project's newest change, or of the first one that brought `since` or more.
   * @returns undefined when this worker has made none, or too long ago.
   */
  of(project: ProjectId, since: Revision | undefined): Propagated | undefined
  /**
   * Like `of`, once every gateway holds it, and after `waitMs` at the latest.
   * @throws {NotOwnerError} when another worker makes the changes of the project.
   */
  settled(
    project: ProjectId,
    since: Revision | undefined,
    wait: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Propagated | undefined>
  /** Number of gateways that are members now. */
  gateways(): number
  close(): void
}

export type Propagated = {
  readonly revision: Revision
  readonly gateways: number
  readonly confirmed: number
  /** Time until the last of them had confirmed; undefined while one is missing. */
  readonly elapsedMs: number | undefined
}

type Change = {
  /** Number of the change among all changes of this worker. */
  readonly told: number
  readonly project: ProjectId
  readonly revision: Revision
  /** Monotonic. */
  readonly at: number
  /** The members with a gateway at that time. */
  readonly gateways: ReadonlySet<string>
  /** Milliseconds after `at`, by member. */
  readonly heldAfter: Map<string, number>
}

export type PropagationDeps = {
  /** Id of this member; its gateway, if it has one, gets the changes within `publish`. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe'>
  readonly hub: ChangeFeed
  readonly shards: Pick<Shards, 'hold'>
  readonly clock: Clock
}

export function createPropagation(deps: PropagationDeps): Propagation {
  return new Changes(deps)
}

class Changes implements Propagation {
  readonly #deps: PropagationDeps
  /** Changes in their order, the oldest first. */
  readonly #changes: Change[] = []
  /** The newest change that a member has confirmed, by member. */
  readonly #confirmed = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  readonly #releases: (() => void)[]

  constructor(deps: PropagationDeps) {
    const { hub, members } = deps
    this.#deps = deps
    this.#releases = [
      hub.subscribe((change, origin) => {
        if (origin !== 'own') return
        if (change.kind === 'revision') this.#note(change.projectId, change.revision)
        const told = hub.told()
        // The listeners of this process are called in turn: by then all of them were.
        queueMicrotask(() => this.confirm(deps.self, told))
      }),
      members.subscribe((view) => {
        const ids = new Set(gatewaysOf(view).map(({ id }) => id))
        for (const id of this.#confirmed.keys()) if (!ids.has(id)) this.#confirmed.delete(id)
        this.#wake()
      }),
    ]
  }

  confirm(memberId: string, told: number): void {
    const before = this.#confirmed.get(memberId)
    if (before !== undefined && told <= before) return
    this.#confirmed.set(memberId, told)
    const now = this.#deps.clock.monotonic()
    for (const change of this.#changes.toReversed()) {
      if (change.told > told) continue
      if (change.heldAfter.has(memberId)) break
      change.heldAfter.set(memberId, change.gateways.has(memberId) ? now - change.at : 0)
    }
    this.#wake()
  }

  of(project: ProjectId, since: Revision | undefined): Propagated | undefined {
    const change =
      since === undefined
        ? this.#changes.findLast((each) => each.project === project)
        : this.#changes.find((each) => each.project === project && each.revision >= since)
    if (change === undefined) return undefined
    const gateways = gatewaysOf(this.#deps.members.view())
    const times = gateways.flatMap(({ id }) => change.heldAfter.get(id) ?? [])
    const isComplete = times.length === gateways.length
    return {
      revision: change.revision,
      gateways: gateways.length,
      confirmed: times.length,
      elapsedMs: isComplete ? Math.max(0, ...times) : undefined,
    }
  }

  async settled(
    project: ProjectId,
    since: Revision | undefined,
    { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Propagated | undefined> {
    await this.#deps.shards.hold(shardOf(project))
    const first = this.of(project, since)
    if (first === undefined || first.elapsedMs !== undefined || waitMs === 0) return first
    await this.#wait(
      () => this.of(project, first.revision)?.elapsedMs !== undefined,
      waitMs,
      signal,
    )
    return this.of(project, first.revision)
  }

  /** Resolves once it is so, after `ms` or when the signal aborts. */
  #wait(isSo: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(look)
        signal.removeEventListener('abort', end)
        cancel()
        resolve()
      }
      const look = () => {
        if (isSo()) end()
      }
      const cancel = this.#deps.clock.after(ms, end)
      signal.addEventListener('abort', end, { once: true })
      this.#waiting.add(look)
    })
  }

  gateways(): number {
    return gatewaysOf(this.#deps.members.view()).length
  }

  close(): void {
    for (const release of this.#releases) release()
    this.#changes.length = 0
    this.#wake()
  }

  #note(project: ProjectId, revision: Revision): void {
    const { clock, hub, members } = this.#deps
    const at = clock.monotonic()
    const gateways = new Set(gatewaysOf(members.view()).map(({ id }) => id))
    const told = hub.told()
    this.#changes.push({ told, project, revision, at, gateways, heldAfter: new Map() })
    if (this.#changes.length > CHANGES_MAX) this.#changes.shift()
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look()
  }
}
