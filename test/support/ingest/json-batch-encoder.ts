import type { IngestEvent } from '../../../src/events/event.ts'

/** Stands in for the wire format where a test wants to read what a body thread wrote. */
export function encodeEventBatch(projectId: number, events: readonly IngestEvent[]): Uint8Array {
  return Buffer.from(JSON.stringify({ projectId, events }))
}
