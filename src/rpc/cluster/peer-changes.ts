/**
 * Changes of the other workers: one stream from each worker of the view, opened again when it ends.
 * Changes while a stream was down are unknown, so each beginning and each end of a stream counts as
 * an interruption and voids the cached keys. Received changes stay in this process.
 *
 * The stream of a worker that has left the view is read to its end: the worker may have made a last
 * change.
 */
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../../cluster/members/view.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import { projectId, revision } from '../../core/ids.ts'
import { REVISION_NEWS_STALE_MS } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { runLoop } from '../../core/loop.ts'
import type { ProjectNewsMessage } from '../../wire/project-watch.ts'

/** Pause before a stream of changes that ended is opened again, plus as much jitter. */
export const NEWS_RECONNECT_MS = 200

export type PeerChanges = {
  /** True while changes of every other worker of the view arrive and the view is not frozen. */
  fresh(): boolean
  /** Rises whenever a change may have been missed. */
  interruptions(): number
  close(): Promise<void>
}

export type PeerChangesDeps = {
  /** Id of this member. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'connected'>
  /** Reads one stream from its beginning to its end: see `wire/project-watch.ts`. */
  readonly watch: (
    address: string,
    signal: AbortSignal,
    onMessage: (message: ProjectNewsMessage, isFirst: boolean) => void,
  ) => Promise<void>
  readonly hub: Pick<ChangeFeed, 'publish'>
  readonly clock: Clock
  readonly log: Log
}

type Peer = {
  readonly abort: AbortController
  /** Monotonic; -Infinity while its stream is closed. */
  heardAt: number
  isHeard: boolean
  ended: Promise<void>
}

export function createPeerChanges(deps: PeerChangesDeps): PeerChanges {
  const feed = new PeerStreams(deps)
  return {
    fresh: () => feed.fresh(),
    interruptions: () => feed.interruptions,
    close: () => feed.close(),
  }
}

class PeerStreams {
  readonly #deps: PeerChangesDeps
  readonly #unsubscribe: () => void
  /** By id: the other workers of the view, and those that have left and whose streams still run. */
  readonly #peers = new Map<string, Peer>()
  /** The other workers of the view. */
  #required: readonly Peer[] = []
  #interruptions = 0

  constructor(deps: PeerChangesDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.members.subscribe((view) => this.#follow(view))
    this.#follow(deps.members.view())
  }

  get interruptions(): number {
    return this.#interruptions
  }

  fresh(): boolean {
    if (!this.#deps.members.connected()) return false
    const since = this.#deps.clock.monotonic() - REVISION_NEWS_STALE_MS
    return this.#required.every(({ heardAt }) => heardAt > since)
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    this.#required = []
    const all = [...this.#peers.values()]
    for (const { abort } of all) abort.abort()
    await Promise.all(all.map(({ ended }) => ended))
  }

  #follow(view: View): void {
    const others = workersOf(view).filter(({ id }) => id !== this.#deps.self)
    const before = this.#required
    this.#required = others.map((member) => this.#peers.get(member.id) ?? this.#open(member))
    for (const peer of before) {
      if (this.#required.includes(peer)) continue
      // Its last changes are unknown, unless its stream still runs.
      this.#interruptions++
      if (!peer.isHeard) peer.abort.abort()
    }
  }

  #open(member: Member): Peer {
    const { clock, log } = this.#deps
    const abort = new AbortController()
    const peer: Peer = { abort, heardAt: -Infinity, isHeard: false, ended: Promise.resolve() }
    this.#peers.set(member.id, peer)
    peer.ended = runLoop(
      { clock, log, random: Math.random },
      {
        name: `changes of ${member.address}`,
        intervalMs: NEWS_RECONNECT_MS,
        jitterMs: NEWS_RECONNECT_MS,
      },
      abort.signal,
      (signal) => this.#listen(member, peer, signal),
    ).then(() => {
      if (this.#peers.get(member.id) === peer) this.#peers.delete(member.id)
    })
    return peer
  }

  /** Reads one stream of a peer to its end. */
  async #listen(member: Member, peer: Peer, signal: AbortSignal): Promise<void> {
    // Another process at the same address does not speak for this member.
    let isMember = false
    try {
      await this.#deps.watch(member.address, signal, (message, isFirst) => {
        if (isFirst) {
          isMember = message.member_id === member.id
          if (isMember) this.#interrupt(peer, true)
        }
        if (isMember) peer.heardAt = this.#deps.clock.monotonic()
        this.#publish(message)
      })
    } finally {
      if (peer.isHeard) this.#interrupt(peer, false)
      if (!this.#required.includes(peer)) peer.abort.abort()
    }
  }

  #interrupt(peer: Peer, isHeard: boolean): void {
    peer.isHeard = isHeard
    peer.heardAt = isHeard ? this.#deps.clock.monotonic() : -Infinity
    this.#interruptions++
    this.#deps.hub.publish({ kind: 'keys' }, 'peer')
  }

  #publish(message: ProjectNewsMessage): void {
    const { hub } = this.#deps
    if (message.keys_changed) hub.publish({ kind: 'keys' }, 'peer')
    for (const change of message.changed) {
      const project = projectId(change.project_id)
      const at = revision(change.revision)
      hub.publish({ kind: 'revision', projectId: project, revision: at }, 'peer')
    }
  }
}
