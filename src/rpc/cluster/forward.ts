/** Calls of projects that another worker owns are answered by asking that one. */

import type { Member } from '../../../cluster/members/view.ts'
import { NotOwnerError } from '../../../cluster/shards/not-owner.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { FORWARD_HOPS_MAX } from '../../core/limits/limits.ts'
import type { CallContext, CallMetadata, Handler } from '../../wire/call.ts'
import type { Caller } from '../../wire/caller.ts'
import { NoAnswerError } from '../../wire/no-answer.ts'

/** Metadata: how often a call has been passed on. */
export const HOPS_METADATA = 'x-sluice-hops'

export type ForwardDeps = {
  /** Id of this member. */
  readonly self: string
  readonly callerOf: (member: Member) => Caller
  readonly clock: Clock
}

/** Metadata of one connection, not of the call. */
const OF_CONNECTION = /^(?:grpc-.*|:.*|user-agent|content-type|te|host|connection|accept-encoding)$/

/**
 * The handler, with what it refuses as not this worker's passed on to the owner, as it came. A
 * handler throws `NotOwnerError` before it has any effect. Whoever comes after too many hops, or
 * while nobody owns the shard or the owner cannot be reached, gets that error.
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
  /** What is left of it. */
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
    // Nothing was sent: it may be asked again, when somebody else owns the shard.
    if (!error.sent) throw notOwner
    // To the caller it is this worker's answer.
    throw new AppError(error.code, `owner ${owner.id}: ${error.message}`, { cause: error })
  }
}

/** Whatever is not a small number, a caller has made up: it counts as not passed on yet. */
function hopsOf(metadata: CallMetadata): number {
  const text = metadata.get(HOPS_METADATA) ?? ''
  return /^\d$/.test(text) ? Number(text) : 0
}

function passedOn(metadata: CallMetadata, hops: number): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of metadata.entries()) {
    if (!OF_CONNECTION.test(name)) values[name] = value
  }
  values[HOPS_METADATA] = String(hops)
  return values
}
