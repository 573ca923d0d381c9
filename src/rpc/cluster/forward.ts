/** Forwards calls of projects that another worker owns. */

import type { Member } from '../../../cluster/members/view.ts'
import { NotOwnerError } from '../../../cluster/shards/not-owner.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import {
  type CallContext,
  type CallMetadata,
  type Handler,
  MEMBER_METADATA,
} from '../../wire/call.ts'
import type { Caller } from '../../wire/caller.ts'
import { NoAnswerError } from '../../wire/no-answer.ts'

/** Times that a call is passed on from worker to worker. */
const FORWARD_HOPS_MAX = 2

/** Metadata that counts how often a call has been forwarded. */
const HOPS_METADATA = 'x-sluice-hops'

export type ForwardDeps = {
  /** Id of this member. */
  readonly self: string
  readonly callerOf: (member: Member) => Caller
  readonly clock: Clock
}

/** Metadata of one connection, which is not forwarded. */
const OF_CONNECTION =
  /^(?:x-sluice-pieces|grpc-.*|:.*|user-agent|content-type|te|host|connection|accept-encoding)$/

/**
 * Wraps a handler with forwarding: a call that it refuses with `NotOwnerError` goes to the owner
 * unchanged. A handler throws `NotOwnerError` before it has any effect. The caller gets that error
 * after too many hops, while the shard has no owner, and when the owner cannot be reached.
 * @param path `/package.Service/Method`.
 */
export function withForwarding<Request extends object, Response extends object>(
  path: string,
  handler: Handler<Request, Response>,
  deps: ForwardDeps,
): Handler<Request, object> {
  const { clock } = deps
  return (request, context) => {
    const startedAt = clock.monotonic()
    return handler(request, context).catch((error: unknown) => {
      if (!(error instanceof NotOwnerError)) throw error
      const timeoutMs = context.timeoutMs - (clock.monotonic() - startedAt)
      return forward(deps, error, { path, request, context, timeoutMs })
    })
  }
}

type Refused = {
  readonly path: string
  readonly request: object
  readonly context: CallContext
  /** Milliseconds that the call has left. */
  readonly timeoutMs: number
}

async function forward(
  { self, callerOf }: ForwardDeps,
  notOwner: NotOwnerError,
  { path, request, context, timeoutMs }: Refused,
): Promise<object> {
  const { owner } = notOwner
  const hops = hopsOf(context.metadata)
  if (owner === undefined || owner.id === self || hops >= FORWARD_HOPS_MAX) throw notOwner
  if (timeoutMs < 1 || context.signal.aborted) throw notOwner
  try {
    return await callerOf(owner).call(path, request, {
      metadata: passedOn(context.metadata, hops + 1),
      timeoutMs,
      signal: context.signal,
    })
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    // The call was not sent, so it may be repeated when another worker owns the shard.
    if (!error.sent) throw notOwner
    // The caller sees the owner's failure as this worker's answer.
    throw new AppError(error.code, `owner ${owner.id}: ${error.message}`, { cause: error })
  }
}

/** Number of times that the call was forwarded; 0 for a text that is not a small number. */
function hopsOf(metadata: CallMetadata): number {
  const text = metadata.get(HOPS_METADATA) ?? ''
  return /^\d$/.test(text) ? Number(text) : 0
}

function passedOn(metadata: CallMetadata, hops: number): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of metadata.entries()) {
    if (!OF_CONNECTION.test(name) && name !== MEMBER_METADATA) values[name] = value
  }
  values[HOPS_METADATA] = String(hops)
  return values
}
