/** Callers of a worker: persons with personal keys, services with the key of a project. */
import { type Authenticator, createAuthenticator } from '../access/principal.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { ProjectLimits } from '../core/project-limits.ts'
import { createUuidV7 } from '../events/uuid.ts'
import { NO_PROJECT_ID } from '../events/warnings/ingestion-warning.ts'
import type { WarningCounts } from '../events/warnings/warning-counts.ts'
import type { DecideService } from '../project/decide.ts'
import {
  createServiceEvents,
  isCaptureCall,
  type ServiceEvents,
} from '../rpc/hot/service-events.ts'
import { createServiceKeys, type ServiceKeys } from '../rpc/hot/service-keys.ts'
import type { OnRefused } from '../rpc/server/refused.ts'
import { findKey, resolveKeys, touchKey } from '../store/people/key-store.ts'
import { findSession, touchSession } from '../store/people/session-store.ts'
import type { Worker } from './types.ts'
import type { CallMetrics } from './worker-call-metrics.ts'

type CallersDeps = {
  readonly worker: Worker
  readonly calls: Pick<CallMetrics, 'keyRefused'>
  readonly clock: Clock
  readonly log: Log
}

/** Notes a personal key that was refused, in a call or at sign-in. */
export function noteRefused(
  { refusedKeys }: Pick<Worker, 'refusedKeys'>,
  calls: Pick<CallMetrics, 'keyRefused'>,
  value: string,
): void {
  refusedKeys.note(value)
  calls.keyRefused('personal')
}

/** Authentication of users by personal keys, and of services by keys for events and flags. */
export type Callers = { readonly authenticator: Authenticator; readonly serviceKeys: ServiceKeys }

export function createCallers({ worker, calls, clock, log }: CallersDeps): Callers {
  const { sql, lookups, health, hub } = worker
  const authenticator = createAuthenticator({
    findKey: (digest) => findKey(sql, digest),
    touchKey: (keyId) => touchKey(sql, keyId),
    findSession: (digest) => findSession(sql, digest),
    touchSession: (sessionId) => touchSession(sql, sessionId),
    clock,
    log,
    onRefused: (value) => noteRefused(worker, calls, value),
  })
  const serviceKeys = createServiceKeys({
    resolve: async (key, digest) => {
      const [resolved] = await resolveKeys(lookups, [{ token: key, digest, projectId: 0 }])
      // A personal key has scopes, which these calls do not ask for.
      if (resolved?.kind === 'project' && !resolved.isPersonal) return resolved.project
      calls.keyRefused(resolved?.kind === 'unknown' ? 'project' : 'personal')
      return undefined
    },
    health,
    clock,
  })
  hub.subscribe((change) => {
    if (change.kind !== 'keys') return
    authenticator.forget()
    serviceKeys.forget()
  })
  return { authenticator, serviceKeys }
}

/** The calls of internal services, with a project key. */
export function createServices(
  { worker, limits, clock }: CallersDeps & { readonly limits: ProjectLimits | undefined },
  serviceKeys: ServiceKeys,
  decide: DecideService,
): ServiceEvents {
  const { route, snapshots, warnings } = worker
  return createServiceEvents({
    findProject: serviceKeys.find,
    route,
    snapshots,
    decide,
    limits,
    warnings,
    newUuid: createUuidV7(clock.now),
    clock,
  })
}

/** Counts calls that no handler hears of; those of unknown callers count where they are judged. */
export function refusals(
  warnings: Pick<WarningCounts, 'count'>,
  calls: Pick<CallMetrics, 'refused'>,
): OnRefused {
  return (reason, path) => {
    calls.refused(reason)
    if (reason === 'caller' || !isCaptureCall(path)) return
    warnings.count(NO_PROJECT_ID, 'grpc_refused', 1)
  }
}
