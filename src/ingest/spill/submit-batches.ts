/** Hands the batches of a message of the spill to the writer, each until it has an answer. */
import type { EventBatch } from '../../events/event-batch.ts'
import { BEHIND, SLOW } from '../outcomes.ts'
import type { IngestWriter, WriterOutcome } from '../writer-port.ts'

/**
 * Submits batches again for which the writer had no time, the others not: with a redelivery by the
 * log, the whole message would repeat, stored batches included.
 * @param look waits a moment, and resolves to whether they may be submitted now.
 * @returns the outcome of each.
 */
export async function submitBatches(
  writer: Pick<IngestWriter, 'submit'>,
  batches: readonly EventBatch[],
  look: () => Promise<'go' | 'wait' | 'end'>,
): Promise<readonly WriterOutcome[]> {
  const outcomes = await Promise.all(batches.map((batch) => writer.submit(batch)))
  while (outcomes.some(isBehind)) {
    const next = await look()
    if (next === 'end') break
    if (next === 'wait') continue
    const again = batches.map(async (batch, index) => {
      if (isBehind(outcomes[index])) outcomes[index] = await writer.submit(batch)
    })
    await Promise.all(again)
  }
  return outcomes
}

/** True when nothing is wrong with the batch: it waited in the writer for too long, or found no room. */
function isBehind(outcome: WriterOutcome | undefined): boolean {
  if (outcome?.kind === 'overloaded') return true
  return outcome?.kind === 'unavailable' && (outcome.cause === BEHIND || outcome.cause === SLOW)
}

/** True when the batch need not be delivered again. */
export function isFinal(outcome: WriterOutcome): boolean {
  switch (outcome.kind) {
    case 'stored':
    case 'no_project':
      return true
    case 'overloaded':
    case 'unavailable':
      return false
    default:
      return outcome satisfies never
  }
}
