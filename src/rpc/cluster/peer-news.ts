/**
 * News of the other workers: one stream from each worker of the view, opened again when it ends.
 * Whatever changed while a stream was down is unknown, so each beginning and each end counts as an
 * interruption, and voids what is remembered of keys. What is heard stays in this process.
 *
 * A worker that has left the view is heard until its stream ends: it may have changed something
 * last.
 */
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../../cluster/members/view.ts'
import type { Clock } from '../../core/clock.ts'
import { projectId, revision } from '../../core/ids.ts'
import { NEWS_RECONNECT_MS, REVISION_NEWS_STALE_MS } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { runLoop } from '../../core/loop.ts'
import type { NewsHub } from '../../core/project-news.ts'
import type { ProjectNewsMessage } from '../../wire/project-watch.ts'

export type PeerNews = {
  /** True while every other worker of the view is heard and the view is not frozen. */
  fresh(): boolean
  /** Rises whenever something may have been missed. */
  interruptions(): number
  close(): Promise<void>
}

export type PeerNewsDeps = {
  /** Id of this member. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'connected'>
  /** One stream from its beginning to its end: see `core/project-watch.ts`. */
  readonly watch: (
    address: string,
    signal: AbortSignal,
    onMessage: (message: ProjectNewsMessage, isFirst: boolean) => void,
  ) => Promise<void>
  readonly hub: Pick<NewsHub, 'publish'>
  readonly clock: Clock
  readonly log: Log
}

type Peer = {
  readonly abort: AbortController
  /** Monotonic; -Infinity while it is not heard. */
  heardAt: number
  isHeard: boolean
  ended: Promise<void>
}

export function createPeerNews(deps: PeerNewsDeps): PeerNews {
  const { self, members, watch, hub, clock, log } = deps
  /** By id: the others of the view, and those that have left and still speak. */
  const peers = new Map<string, Peer>()
  let required: readonly Peer[] = []
  let interruptions = 0

  const interrupt = (peer: Peer, isHeard: boolean) => {
    peer.isHeard = isHeard
    peer.heardAt = isHeard ? clock.monotonic() : -Infinity
    interruptions++
    hub.publish({ kind: 'keys' }, 'peer')
  }

  const tell = (message: ProjectNewsMessage) => {
    if (message.keys_changed) hub.publish({ kind: 'keys' }, 'peer')
    for (const change of message.changed) {
      const project = projectId(change.project_id)
      const at = revision(change.revision)
      hub.publish({ kind: 'revision', projectId: project, revision: at }, 'peer')
    }
  }

  const listen = async (member: Member, peer: Peer, signal: AbortSignal): Promise<void> => {
    // Another incarnation at the same address does not speak for this one.
    let isMeant = false
    try {
      await watch(member.address, signal, (message, isFirst) => {
        if (isFirst) {
          isMeant = message.member_id === member.id
          if (isMeant) interrupt(peer, true)
        }
        if (isMeant) peer.heardAt = clock.monotonic()
        tell(message)
      })
    } finally {
      if (peer.isHeard) interrupt(peer, false)
      if (!required.includes(peer)) peer.abort.abort()
    }
  }

  const open = (member: Member): Peer => {
    const abort = new AbortController()
    const peer: Peer = { abort, heardAt: -Infinity, isHeard: false, ended: Promise.resolve() }
    peers.set(member.id, peer)
    peer.ended = runLoop(
      { clock, log, random: Math.random },
      {
        name: `news of ${member.address}`,
        intervalMs: NEWS_RECONNECT_MS,
        jitterMs: NEWS_RECONNECT_MS,
      },
      abort.signal,
      (signal) => listen(member, peer, signal),
    ).then(() => {
      if (peers.get(member.id) === peer) peers.delete(member.id)
    })
    return peer
  }

  const follow = (view: View) => {
    const others = workersOf(view).filter(({ id }) => id !== self)
    const before = required
    required = others.map((member) => peers.get(member.id) ?? open(member))
    for (const peer of before) {
      if (required.includes(peer)) continue
      // Nobody knows what it did last, unless it still speaks.
      interruptions++
      if (!peer.isHeard) peer.abort.abort()
    }
  }

  const unsubscribe = members.subscribe(follow)
  follow(members.view())

  return {
    fresh() {
      if (!members.connected()) return false
      const since = clock.monotonic() - REVISION_NEWS_STALE_MS
      return required.every(({ heardAt }) => heardAt > since)
    },
    interruptions: () => interruptions,
    async close() {
      unsubscribe()
      required = []
      const all = [...peers.values()]
      for (const { abort } of all) abort.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
