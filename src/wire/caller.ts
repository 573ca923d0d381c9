/** Calls to one other process, by gRPC in the product. */
export type Caller = {
  /**
   * Calls `/package.Service/Method`, once.
   * @throws {AppError} with the callee's code and detail; `unavailable` or `deadline_exceeded` when
   * it did not answer: the call may have had its effect.
   */
  call(method: string, request: object, options: CallOptions): Promise<object>
  close(): void
}

export type CallOptions = {
  /** By lower-case name; values are visible ASCII. */
  readonly metadata: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}
