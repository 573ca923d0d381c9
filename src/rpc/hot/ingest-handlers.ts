/** `IngestBatch`: the events of gateways. */

import type { IngestBatchResponse__Output } from '../../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { IngestOutcome__Output } from '../../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { Code } from '../../core/code.ts'
import { projectId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { DecodedIngestRequest } from '../../events/batch-decoder.ts'
import type { IngestOutcome, IngestRoute, UncheckedBatch } from '../../events/event-batch.ts'
import type { WarningReason } from '../../events/warnings/warning-reasons.ts'
import type { Handler } from '../../wire/call.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import { toLoggedAppError } from '../server/status.ts'

export type IngestDeps = {
  memberAuth: MemberAuth
  route: IngestRoute
  log: Log
  cacheGeneration: () => string
}

/** One micro-batch: its batches are routed separately; answers when all have an outcome. */
export function createIngestBatch(
  deps: IngestDeps,
): Handler<DecodedIngestRequest, IngestBatchResponse__Output> {
  const ingest = async (batch: UncheckedBatch): Promise<IngestOutcome__Output> => {
    try {
      const { projectId: id, events, bytes } = batch
      return toWireOutcome(await deps.route.ingest({ projectId: projectId(id), events, bytes }))
    } catch (error) {
      // The other batches of the call must not fail with this one.
      const failure = toLoggedAppError(error, deps.log, 'IngestBatch')
      return { code: failure.code, retry_after_s: failure.detail?.retryAfterS ?? 1, reason: '' }
    }
  }
  return async (request, context) => {
    deps.memberAuth(context)
    const outcomes = await Promise.all(request.batches.map(ingest))
    return { outcomes, cache_generation: deps.cacheGeneration() }
  }
}

function outcomeOf(
  code: Code | '',
  retryAfterS: number,
  reason?: WarningReason,
): IngestOutcome__Output {
  return { code, retry_after_s: retryAfterS, reason: reason ?? '' }
}

function toWireOutcome(outcome: IngestOutcome): IngestOutcome__Output {
  switch (outcome.kind) {
    case 'stored':
    case 'spilled':
      return outcomeOf('', 0)
    case 'overloaded':
      return outcomeOf('resource_exhausted', outcome.retryAfterS)
    case 'unavailable':
      return outcomeOf(
        'unavailable',
        outcome.retryAfterS,
        outcome.isSpillFull ? 'spill_full' : undefined,
      )
    case 'no_project':
      return outcomeOf('not_found', 0)
    default:
      return outcome satisfies never
  }
}
