import type { IngestBatchResponse__Output } from '../../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { IngestOutcome__Output } from '../../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { Code } from '../../core/code.ts'
import type { Log } from '../../core/log.ts'
import { checkedGroup, type DecodedBatch, type DecodedGroup } from '../../events/batch-decoder.ts'
import type { IngestGroup, IngestOutcome } from '../../project/ports.ts'
import type { Handler } from '../../wire/call.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import { toLoggedAppError } from '../server/status.ts'

export type IngestDeps = {
  memberAuth: MemberAuth
  /** See `project/ingest-route.ts`. */
  route: (group: IngestGroup) => Promise<IngestOutcome>
  log: Log
  cacheGeneration: () => string
}

/** One micro-batch: each group goes its own way; answers when all are decided. */
export function createIngestBatch(
  deps: IngestDeps,
): Handler<DecodedBatch, IngestBatchResponse__Output> {
  const ingest = async (group: DecodedGroup): Promise<IngestOutcome__Output> => {
    try {
      return toWireOutcome(await deps.route(checkedGroup(group)))
    } catch (error) {
      // The other groups of the call must not fail with this one.
      const failure = toLoggedAppError(error, deps.log, 'IngestBatch')
      return { code: failure.code, retry_after_s: failure.detail?.retryAfterS ?? 1 }
    }
  }
  return async (request, context) => {
    deps.memberAuth(context)
    const outcomes = await Promise.all(request.groups.map(ingest))
    return { outcomes, cache_generation: deps.cacheGeneration() }
  }
}

function toWireOutcome(outcome: IngestOutcome): IngestOutcome__Output {
  switch (outcome.kind) {
    case 'stored':
    case 'spilled':
      return { code: '', retry_after_s: 0 }
    case 'overloaded':
      return { code: 'resource_exhausted' satisfies Code, retry_after_s: outcome.retryAfterS }
    case 'unavailable':
      return { code: 'unavailable' satisfies Code, retry_after_s: outcome.retryAfterS }
    case 'no_project':
      return { code: 'not_found' satisfies Code, retry_after_s: 0 }
    default:
      return outcome satisfies never
  }
}
