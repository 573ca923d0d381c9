import type { Metadata } from '@grpc/grpc-js'

/** What a handler knows of its call, over a socket and within the process alike. */
export type CallContext = {
  /** Text values by lower-case name. */
  readonly metadata: CallMetadata
  /** Aborts when the caller has gone or the deadline has passed. Never read after a commit. */
  readonly signal: AbortSignal
  /** Milliseconds left when the call arrived. */
  readonly timeoutMs: number
}

export type CallMetadata = {
  get(name: string): string | undefined
  /** All of them, for a call that is passed on. */
  entries(): Iterable<readonly [name: string, value: string]>
}

/**
 * A unary call. Failures are `AppError`s; anything else is answered as `internal` and logged.
 */
export type Handler<Request, Response> = (
  request: Request,
  context: CallContext,
) => Promise<Response>

/** Metadata of a socket call as the handlers see it. */
export function fromGrpcMetadata(metadata: Metadata): CallMetadata {
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
