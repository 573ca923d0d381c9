/** Tables of unary handlers: by service and method, and by full path. */
import type { Log } from '../core/log.ts'
import { type ForwardDeps, withForwarding } from '../rpc/cluster/forward.ts'
import type { Handlers } from '../rpc/server/served.ts'
import { toLoggedAppError } from '../rpc/server/status.ts'
import type { Handler } from '../wire/call.ts'
import type { CallMetrics } from './worker-call-metrics.ts'

/** A unary handler. The definition of its service holds its types together. */
type AnyHandler = Handler<never, object>
/** Handlers by full name of their service, then by method. */
export type HandlerTable = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

/** Every unary handler by full path. Calls for another worker's shards are forwarded. */
export function byPath(table: HandlerTable, forwarding: ForwardDeps, calls: CallMetrics): Handlers {
  const handlers = new Map<string, Handler<object, object>>()
  for (const [name, methods] of Object.entries(table)) {
    for (const [method, handler] of Object.entries(methods)) {
      const path = `/${name}/${method}`
      // The path's definition decodes the request, so its type fits the handler.
      const typed = handler as Handler<object, object>
      handlers.set(path, calls.timed(path, withForwarding(path, typed, forwarding)))
    }
  }
  return handlers
}

/** Handlers for calls within the process: failures have a code, unexpected ones are logged. */
export function withoutSocket(handlers: Handlers, log: Log): Handlers {
  const calls = [...handlers].map(([path, handler]): [string, Handler<object, object>] => [
    path,
    async (request, context) => {
      try {
        return await handler(request, context)
      } catch (error) {
        throw toLoggedAppError(error, log, path)
      }
    },
  ])
  return new Map(calls)
}
