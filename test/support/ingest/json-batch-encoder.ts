import type { IngestEvent } from '../../../src/events/event.ts'

/** Replaces the wire format where a test reads the output of a body thread. */
export function encodeEventBatch(projectId: number, events: readonly IngestEvent[]): Uint8Array {
  return Buffer.from(JSON.stringify({ projectId, events }))
}
