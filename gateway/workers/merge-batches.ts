/** Merges small batches of one project that travel in the same micro-batch. */

import type { ProjectId } from '../../src/core/ids.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import type { EncodedBatch } from './ingest-codec.ts'

/** Event batches up to this size, of one project, are merged into one and share its outcome. */
export const MERGED_BATCH_BYTES_MAX = 65_536

export type MergedBatches = {
  readonly batches: readonly EncodedBatch[]
  /** For each batch that came in, the index in `batches` of the one that has its events. */
  readonly indexes: readonly number[]
}

/**
 * Merges small batches of one project into one with their events in order. A worker has work for
 * each batch as well as for each event, and most batches have one event. Merged batches share their
 * outcome, so large batches stay alone, and so do batches whose plugins may fail.
 */
export function mergeBatches(batches: readonly EncodedBatch[]): MergedBatches {
  if (batches.length === 1) return { batches, indexes: [0] }
  const merged: EncodedBatch[] = []
  const indexes: number[] = []
  const open = new Map<ProjectId, { readonly batch: MergedBatch; readonly index: number }>()
  for (const batch of batches) {
    const { projectId, content } = batch
    if (content.kind !== 'events' || batch.hasPlugins || batch.bytes > MERGED_BATCH_BYTES_MAX) {
      indexes.push(merged.push(batch) - 1)
      continue
    }
    let target = open.get(projectId)
    if (target === undefined) {
      target = { batch: new MergedBatch(projectId), index: merged.length }
      open.set(projectId, target)
      merged.push(target.batch)
    }
    target.batch.add(batch, content.events)
    indexes.push(target.index)
  }
  return { batches: merged, indexes }
}

class MergedBatch implements EncodedBatch {
  readonly projectId: ProjectId
  readonly hasPlugins = false
  readonly content: { readonly kind: 'events'; readonly events: IngestEvent[] }
  count = 0
  bytes = 0

  constructor(projectId: ProjectId) {
    this.projectId = projectId
    this.content = { kind: 'events', events: [] }
  }

  add({ count, bytes }: EncodedBatch, events: readonly IngestEvent[]): void {
    for (const event of events) this.content.events.push(event)
    this.count += count
    this.bytes += bytes
  }
}
