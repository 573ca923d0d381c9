/** Registry of the live streams that watch events stored by this worker. */
import type { ProjectId } from '../../core/ids.ts'
import type { IngestEvent } from '../event.ts'
import { liveEventOf } from './live-event.ts'
import type { LiveEvent } from './live-message.ts'
import type { LiveSink } from './live-queue.ts'

/** Filter of a live stream; undefined members match all events. */
export type LiveFilter = {
  readonly projectId: ProjectId
  readonly event: string | undefined
  readonly distinctId: string | undefined
}

export type DeletedId = {
  readonly projectId: ProjectId
  readonly distinctId: string
  /** ms since 1970. */
  readonly askedAtMs: number
}

type StoredRow = { readonly projectId: ProjectId; readonly event: IngestEvent }

/** Totals since the start; `watchers` is the current number. */
export type LiveFigures = {
  readonly watchers: number
  /** Events offered to readers, once for each reader. */
  readonly offered: number
  readonly dropped: number
}

export type LiveHub = {
  /** Gives the sink each event that is stored from now on. @returns a function that ends it. */
  watch(filter: LiveFilter, sink: LiveSink): () => void
  /** Called after COMMIT with the new rows; costs one check while no reader watches. */
  stored<Row extends StoredRow>(rows: readonly Row[], isNew: (position: number) => boolean): void
  /** The outcome of these is unknown: they may be stored. */
  uncertain(rows: readonly StoredRow[]): void
  /** Hides events of persons that were deleted, as far as they are stored by now. */
  forget(deleted: readonly DeletedId[]): void
  /** Ends the streams of all readers, also of later ones: the process stops. */
  leave(): void
  /** Events that a reader does not get. */
  dropped(count: number): void
  figures(): LiveFigures
}

type Watcher = LiveFilter & { readonly sink: LiveSink }

export function createLiveHub(now: () => number): LiveHub {
  const projects = new Map<ProjectId, Set<Watcher>>()
  let hasLeft = false
  let offered = 0
  let dropped = 0

  return {
    watch(filter, sink) {
      if (hasLeft) {
        sink.bye('drain')
        return () => {}
      }
      const watcher = { ...filter, sink }
      const { projectId } = filter
      const watchers = projects.get(projectId) ?? new Set()
      projects.set(projectId, watchers)
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0 && projects.get(projectId) === watchers) projects.delete(projectId)
      }
    },
    stored(rows, isNew) {
      if (projects.size === 0) return
      let storedAt: string | undefined
      for (const [position, { projectId, event }] of rows.entries()) {
        const watchers = projects.get(projectId)
        if (watchers === undefined || !isNew(position)) continue
        const wanting = [...watchers].filter((each) => wants(each, event))
        if (wanting.length === 0) continue
        storedAt ??= new Date(now()).toISOString()
        const shown = liveEventOf(event, storedAt)
        for (const { sink } of wanting) sink.offer(shown)
        offered += wanting.length
      }
    },
    uncertain(rows) {
      if (projects.size === 0) return
      for (const projectId of new Set(rows.map((row) => row.projectId))) {
        for (const { sink } of projects.get(projectId) ?? []) sink.miss(0)
      }
    },
    forget(deleted) {
      for (const [projectId, watchers] of projects) {
        const ids = deleted.filter((each) => each.projectId === projectId)
        if (ids.length === 0) continue
        for (const { sink } of watchers) sink.forget(isOneOf(ids))
      }
    },
    leave() {
      hasLeft = true
      const all = [...projects.values()].flatMap((watchers) => [...watchers])
      projects.clear()
      for (const { sink } of all) sink.bye('drain')
    },
    dropped(count) {
      dropped += count
    },
    figures() {
      let watchers = 0
      for (const each of projects.values()) watchers += each.size
      return { watchers, offered, dropped }
    },
  }
}

function wants({ event, distinctId }: Watcher, stored: IngestEvent): boolean {
  return (
    (event === undefined || event === stored.event) &&
    (distinctId === undefined || distinctId === stored.distinctId)
  )
}

/** True for an event of one of these ids that was stored before its deletion was requested. */
function isOneOf(deleted: readonly DeletedId[]): (event: LiveEvent) => boolean {
  const until = new Map(deleted.map(({ distinctId, askedAtMs }) => [distinctId, askedAtMs]))
  return ({ distinct_id, stored_at }) => {
    const askedAtMs = until.get(distinct_id)
    return askedAtMs !== undefined && Date.parse(stored_at) <= askedAtMs
  }
}
