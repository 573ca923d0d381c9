import type { ProjectId } from '../../src/core/ids.ts'
import { MERGED_GROUP_BYTES_MAX } from '../../src/core/limits/limits.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import type { EncodedGroup } from './ingest-codec.ts'

export type MergedGroups = {
  readonly groups: readonly EncodedGroup[]
  /** For each of the groups that came in, the place of its events in `groups`. */
  readonly places: readonly number[]
}

/**
 * Puts the events of small requests to one project into one group, in the order they came: the
 * worker's work is by group as well as by event, and most groups have a single one. They share
 * their outcome then, so large ones stay alone, and so do those whose plugins may fail.
 */
export function mergeGroups(groups: readonly EncodedGroup[]): MergedGroups {
  if (groups.length === 1) return { groups, places: [0] }
  const merged: EncodedGroup[] = []
  const places: number[] = []
  const open = new Map<ProjectId, { readonly group: MergedGroup; readonly place: number }>()
  for (const group of groups) {
    const { projectId, content } = group
    if (content.kind !== 'events' || group.hasPlugins || group.bytes > MERGED_GROUP_BYTES_MAX) {
      places.push(merged.push(group) - 1)
      continue
    }
    let target = open.get(projectId)
    if (target === undefined) {
      target = { group: new MergedGroup(projectId), place: merged.length }
      open.set(projectId, target)
      merged.push(target.group)
    }
    target.group.add(group, content.events)
    places.push(target.place)
  }
  return { groups: merged, places }
}

class MergedGroup implements EncodedGroup {
  readonly projectId: ProjectId
  readonly hasPlugins = false
  readonly content: { readonly kind: 'events'; readonly events: IngestEvent[] }
  count = 0
  bytes = 0

  constructor(projectId: ProjectId) {
    this.projectId = projectId
    this.content = { kind: 'events', events: [] }
  }

  add({ count, bytes }: EncodedGroup, events: readonly IngestEvent[]): void {
    for (const event of events) this.content.events.push(event)
    this.count += count
    this.bytes += bytes
  }
}
