import type { ContractMethod, MessageObject } from '../../src/wire/proto/proto.ts'
import type { HttpReply, HttpRequest } from '../http/http-server.ts'

/** Input of a renderer. */
export type RestCall = {
  readonly method: ContractMethod
  readonly request: HttpRequest
  readonly query: URLSearchParams
  /** The bound request; only the path's fields when body or query are invalid. */
  readonly message: MessageObject
  /** Calls the worker for the caller, with `message` unless another one is given. */
  readonly call: (message?: MessageObject) => Promise<object>
  /** Calls another method for the caller, in the same project. */
  readonly callMethod: (path: string, message: MessageObject) => Promise<object>
  /** Makes the call of a method that answers many messages. The signal ends it. */
  readonly stream: (signal: AbortSignal) => Promise<AsyncIterable<object>>
}

/** Makes the whole reply; may stream it. Failures are mapped like those of JSON. */
export type MediaRenderer = (call: RestCall) => Promise<HttpReply>
