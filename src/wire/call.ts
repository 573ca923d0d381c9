import type { Metadata } from '@grpc/grpc-js'

/** Context of a call: the same for calls over a socket and calls within the process. */
export type CallContext = {
  /** Text values by lower-case name. */
  readonly metadata: CallMetadata
  /** Aborts when the caller has left or the deadline has passed. Never read after a commit. */
  readonly signal: AbortSignal
  /** Milliseconds left when the call arrived. */
  readonly timeoutMs: number
  /** Address of the process that calls over a socket, with its port. */
  readonly peer?: string
}

export type CallMetadata = {
  get(name: string): string | undefined
  /** All entries, for calls that are forwarded. */
  entries(): Iterable<readonly [name: string, value: string]>
}

/**
 * A unary call. Failures are `AppError`s; anything else is answered as `internal` and logged.
 */
export type Handler<Request, Response> = (
  request: Request,
  context: CallContext,
) => Promise<Response>

/** Metadata by which a member identifies itself, beside the credentials of the original caller. */
export const MEMBER_METADATA = 'x-sluice-member'

const adapted = new WeakMap<Metadata, CallMetadata>()

/** Adapts the metadata of a socket call. The same object for the same call. */
export function fromGrpcMetadata(metadata: Metadata): CallMetadata {
  const known = adapted.get(metadata)
  if (known !== undefined) return known
  const made = adapt(metadata)
  adapted.set(metadata, made)
  return made
}

function adapt(metadata: Metadata): CallMetadata {
  const textOf = (name: string): string | undefined => {
    const value = metadata.get(name)[0]
    return typeof value === 'string' ? value : undefined
  }
  return {
    get: textOf,
    *entries() {
      for (const name of Object.keys(metadata.getMap())) {
        const value = textOf(name)
        if (value !== undefined) yield [name, value]
      }
    },
  }
}
