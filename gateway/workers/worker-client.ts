/** How the gateway calls a worker; the pool of connections implements it. */
export type WorkerClient = {
  /**
   * Makes one call, and never sends it again: it may have had its effect.
   * @param method full path: `/sluice.v1.ProjectService/ListProjects`.
   * @throws {AppError} with the worker's code and detail, or `unavailable`, `deadline_exceeded`.
   */
  call(method: string, request: object, options: WorkerCallOptions): Promise<object>
}

/** Calls that answer many messages. */
export type WorkerStreams = {
  /**
   * Resolves with the messages once there is a first one. They are read as fast as they are asked
   * for, and end with the call, or with `signal`.
   * @throws {AppError} as a call does; `timeoutMs` is for the first message. While it is read: when
   * the worker is lost.
   */
  stream(
    method: string,
    request: object,
    options: WorkerCallOptions & { readonly signal: AbortSignal },
  ): Promise<AsyncIterable<object>>
}

export type WorkerCallOptions = {
  /** By lower-case name; values are visible ASCII. */
  readonly metadata: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The project of the call, so that its owner is asked first: a hint. */
  readonly projectId?: number
}
