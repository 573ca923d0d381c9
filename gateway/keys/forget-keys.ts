/** Forgets cached keys when a management call may have changed them. */
import { type Code, hasCode } from '../../src/core/code.ts'
import { methodByPath } from '../../src/wire/proto/proto.ts'
import { hintedProject, isRead } from '../workers/management-calls.ts'
import type { WorkerClient, WorkerStreams } from '../workers/worker-client.ts'
import type { KeyResolver } from './api-key.ts'

/** Methods that change no key and no project, although some of them write. */
const CHANGES_NEITHER = /^\/sluice\.v1\.(?:Login|Sharing|Subscription)Service\//
/** Refusals of callers. Anybody may cause them, and nothing has been changed then. */
const REFUSALS: readonly Code[] = ['unauthenticated', 'permission_denied', 'not_found']

/**
 * Calls workers, and invalidates the caches that a call may affect before its answer is sent: the
 * gateway that served a change applies it at once, without waiting for the feed.
 */
export function forgetfulClient(
  pool: WorkerClient & WorkerStreams,
  keys: Pick<KeyResolver, 'forget' | 'forgetAll'>,
): WorkerClient & WorkerStreams {
  return {
    stream: (...call) => pool.stream(...call),
    async call(method, request, options) {
      let mayHaveChanged = mayChange(method)
      try {
        return await pool.call(method, request, options)
      } catch (error) {
        if (REFUSALS.some((code) => hasCode(error, code))) mayHaveChanged = false
        throw error
      } finally {
        if (mayHaveChanged) {
          const project = hintedProject(options.projectId)
          if (project === undefined) keys.forgetAll()
          else keys.forget(project)
        }
      }
    },
  }
}

/** A scope that only reads is enough for questions, which REST takes by POST. */
function mayChange(method: string): boolean {
  if (isRead(method) || CHANGES_NEITHER.test(method)) return false
  return methodByPath(method)?.rules.scope.endsWith(':read') !== true
}
