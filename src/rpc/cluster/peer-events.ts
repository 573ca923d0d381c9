/**
 * Events that the other workers store: one stream from each worker of the view, opened again when
 * it ends. Events stored while a stream was down are unknown, of which its reader is notified.
 */
import type { MemberStore } from '../../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../../cluster/members/view.ts'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import { runLoop } from '../../core/loop.ts'
import type { LiveFilter } from '../../events/live/live-hub.ts'
import { type LiveMessage, UNKNOWN_NUMBER } from '../../events/live/live-message.ts'
import type { LiveSink } from '../../events/live/live-queue.ts'
import type { PeerEvents } from '../../events/live/peer-events.ts'
import type { Dial } from '../../wire/dial.ts'
import { readServerStream } from '../../wire/server-stream.ts'

/** Time for the other workers to confirm that they are watching; later ones count as a gap. */
const LIVE_OPEN_MS = 1_000
/** Pause before a worker that ended its stream of stored events is called again. */
const LIVE_RECONNECT_MS = 500

const WATCH_STORED = '/sluice.v1.ClusterService/WatchStored'

export type PeerEventsDeps = {
  /** Id of this member. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe'>
  readonly memberToken: () => string
  readonly dial: Dial
  readonly clock: Clock
  readonly log: Log
}

export function createPeerEvents(deps: PeerEventsDeps): PeerEvents {
  return (filter, isFiltered, sink) => {
    const streams = new StreamsOfPeers(deps, { filter, isFiltered, sink })
    return { ready: streams.ready, close: () => streams.close() }
  }
}

type Wanted = { readonly filter: LiveFilter; readonly isFiltered: boolean; readonly sink: LiveSink }

class StreamsOfPeers {
  /** Resolves when every worker that was there at the start watches, at the latest in time. */
  readonly ready: Promise<void>
  readonly #deps: PeerEventsDeps
  readonly #wanted: Wanted
  readonly #peers = new Map<string, AbortController>()
  /** Peers of the start that have not answered. */
  readonly #awaited = new Set<string>()
  readonly #unsubscribe: () => void
  #onReady: () => void = () => {}
  #isReady = false

  constructor(deps: PeerEventsDeps, wanted: Wanted) {
    this.#deps = deps
    this.#wanted = wanted
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve
    })
    const cancel = deps.clock.after(LIVE_OPEN_MS, () => {
      wanted.sink.miss(UNKNOWN_NUMBER)
      this.#begin()
    })
    void this.ready.then(cancel)
    for (const { id } of this.#others(deps.members.view())) this.#awaited.add(id)
    this.#unsubscribe = deps.members.subscribe((view) => this.#follow(view))
    this.#follow(deps.members.view())
    if (this.#awaited.size === 0) this.#begin()
  }

  close(): void {
    this.#unsubscribe()
    for (const abort of this.#peers.values()) abort.abort()
    this.#peers.clear()
    this.#begin()
  }

  /** Marks the start as over: a stream that begins later has missed events. */
  #begin(): void {
    this.#isReady = true
    this.#onReady()
  }

  #others(view: View): readonly Member[] {
    return workersOf(view).filter(({ id }) => id !== this.#deps.self)
  }

  #follow(view: View): void {
    const others = this.#others(view)
    const ids = new Set(others.map(({ id }) => id))
    for (const [id, abort] of [...this.#peers]) {
      if (ids.has(id)) continue
      this.#peers.delete(id)
      abort.abort()
      this.#answered(id)
    }
    for (const peer of others) if (!this.#peers.has(peer.id)) this.#open(peer)
  }

  #answered(id: string): void {
    this.#awaited.delete(id)
    if (this.#awaited.size === 0) this.#begin()
  }

  #open(peer: Member): void {
    const { clock, log } = this.#deps
    const abort = new AbortController()
    this.#peers.set(peer.id, abort)
    const times = { intervalMs: LIVE_RECONNECT_MS, jitterMs: LIVE_RECONNECT_MS }
    // Ends with its signal, and never rejects.
    void runLoop(
      { clock, log, random: Math.random },
      { name: `events of ${peer.address}`, ...times },
      abort.signal,
      (signal) => this.#read(peer, signal),
    )
  }

  /** Reads one stream of a peer to its end. */
  async #read({ id, address }: Member, signal: AbortSignal): Promise<void> {
    const { memberToken, dial } = this.#deps
    const { filter, isFiltered } = this.#wanted
    const { projectId: project_id, event, distinctId: distinct_id } = filter
    const request = { project_id, event, distinct_id, sifts: isFiltered }
    const metadata = { authorization: `Bearer ${memberToken()}` }
    const call = { path: WATCH_STORED, request, metadata, signal }
    let isOpen = false
    try {
      for await (const message of readServerStream(address, call, dial)) {
        if (signal.aborted) return
        const { kind } = message as LiveMessage // The method's own type.
        if (kind === 'open') {
          isOpen = true
          if (!this.#awaited.has(id) || this.#isReady) this.#wanted.sink.miss(UNKNOWN_NUMBER)
          this.#answered(id)
        } else this.#pass(message as LiveMessage)
      }
    } catch {
      // Whatever the reason, the stream is opened again while the peer is in the view.
    } finally {
      if (isOpen) this.#wanted.sink.miss(UNKNOWN_NUMBER)
    }
  }

  #pass({ kind, event, dropped }: LiveMessage): void {
    if (kind === 'event' && event !== null) this.#wanted.sink.offer(event)
    if (kind === 'dropped') this.#wanted.sink.miss(dropped)
  }
}
