/**
 * `Capture`, `CaptureBatch` and `Decide`: the calls of internal services, which need no gateway.
 */

import type { CaptureRequest__Output } from '../../../proto/gen/sluice/v1/CaptureRequest.ts'
import type { CaptureResponse } from '../../../proto/gen/sluice/v1/CaptureResponse.ts'
import type { DecideRequest__Output } from '../../../proto/gen/sluice/v1/DecideRequest.ts'
import type { DecideResponse } from '../../../proto/gen/sluice/v1/DecideResponse.ts'
import type { DecideServiceDefinition } from '../../../proto/gen/sluice/v1/DecideService.ts'
import type { IngestServiceDefinition } from '../../../proto/gen/sluice/v1/IngestService.ts'
import { invalidProjectKey } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Limited, ProjectLimits } from '../../core/project-limits.ts'
import { batchOf, type IngestOutcome, type IngestRoute } from '../../events/event-batch.ts'
import { NO_LOSSES } from '../../events/losses.ts'
import { parseEvents } from '../../events/parse-event.ts'
import { lossOf, NO_PROJECT_ID } from '../../events/warnings/ingestion-warning.ts'
import type { WarningCounts } from '../../events/warnings/warning-counts.ts'
import type { WarningReason } from '../../events/warnings/warning-reasons.ts'
import type { FlagResult } from '../../flags/flag-result.ts'
import type { DecideService } from '../../project/decide.ts'
import type { ProjectState } from '../../project/project-state.ts'
import type { Snapshots } from '../../project/snapshots.ts'
import type { CallMetadata } from '../../wire/call.ts'
import { throttledDetail, unavailableDetail, validationError } from '../../wire/details.ts'
import { fromStruct } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { ServiceProject } from './service-keys.ts'

/** The calls of internal services: events and decide under a project key, without a gateway. */
export type ServiceEventsDeps = {
  /** The project of a key; undefined when there is none: see `service-keys.ts`. */
  readonly findProject: (key: string) => Promise<ServiceProject | undefined>
  readonly route: IngestRoute
  readonly snapshots: Pick<Snapshots, 'of'>
  readonly decide: DecideService
  /** Undefined when no project is limited. */
  readonly limits: ProjectLimits | undefined
  readonly warnings: Pick<WarningCounts, 'count' | 'lose' | 'loseAll'>
  readonly newUuid: () => string
  readonly clock: Clock
}

type Handlers = ServiceHandlers<Pick<IngestServiceDefinition, 'Capture' | 'CaptureBatch'>> &
  ServiceHandlers<Pick<DecideServiceDefinition, 'Decide'>>

export type ServiceEvents = {
  readonly handlers: Handlers
  /**
   * Resolves the project of a call before its request is deserialised; the handler reuses it.
   * @throws {AppError} `unauthenticated` for an unknown key; `unavailable`.
   */
  readonly guard: (metadata: CallMetadata, path: string) => Promise<void>
}

export function createServiceEvents(deps: ServiceEventsDeps): ServiceEvents {
  const asked = new WeakMap<CallMetadata, Promise<ServiceProject>>()
  const find = async (metadata: CallMetadata): Promise<ServiceProject> => {
    const key = bearer(metadata)
    const project = key === undefined ? undefined : await deps.findProject(key)
    if (project === undefined) throw invalidProjectKey()
    return project
  }
  const projectOf = (metadata: CallMetadata): Promise<ServiceProject> => {
    const known = asked.get(metadata) ?? find(metadata)
    asked.set(metadata, known)
    return known
  }
  const guard = async (metadata: CallMetadata, path: string) => {
    try {
      await projectOf(metadata)
    } catch (error) {
      if (isCaptureCall(path)) deps.warnings.count(NO_PROJECT_ID, reasonOf(error), 1)
      throw error
    }
  }
  return { handlers: handlersOf(deps, projectOf), guard }
}

function handlersOf(
  deps: ServiceEventsDeps,
  projectOf: (metadata: CallMetadata) => Promise<ServiceProject>,
): Handlers {
  return {
    async Capture(request, { metadata }) {
      return capture(deps, await projectOf(metadata), [request])
    },
    async CaptureBatch({ batch }, { metadata }) {
      return capture(deps, await projectOf(metadata), batch)
    },
    async Decide(request, { metadata }) {
      const { id } = await projectOf(metadata)
      refuseLimited(deps.limits?.decide(id))
      return decide(deps.decide, await deps.snapshots.of(id), request)
    },
  }
}

/** Whether a call takes events of a service. */
export function isCaptureCall(path: string): boolean {
  return /^\/sluice\.v1\.IngestService\/Capture(?:Batch)?$/.test(path)
}

function reasonOf(error: unknown): WarningReason {
  return error instanceof AppError && error.code === 'unauthenticated'
    ? 'unknown_key'
    : 'unavailable'
}

/** The value of `authorization: Bearer …`, else of `x-api-key`. */
function bearer(metadata: CallMetadata): string | undefined {
  const header = metadata.get('authorization')
  if (header === undefined) return metadata.get('x-api-key')
  return /^bearer +(\S+) *$/i.exec(header)?.[1]
}

async function capture(
  { clock, newUuid, route, limits, warnings }: ServiceEventsDeps,
  { id: projectId, anonymizeIps }: ServiceProject,
  requests: readonly CaptureRequest__Output[],
): Promise<CaptureResponse> {
  const account = limits?.capture(projectId)
  const limited = account?.refusal()
  if (limited !== undefined) warnings.count(projectId, 'over_limit', requests.length)
  refuseLimited(limited)
  const parsed = parseEvents(
    requests.map(toPayload),
    {
      projectId,
      dialect: { kind: 'posthog' },
      receivedAtMs: clock.now(),
      sentAt: [],
      ip: '',
      anonymizeIps,
    },
    newUuid,
  )
  if (!parsed.ok) {
    const { code } = parsed.error
    warnings.count(projectId, code === 'request_too_large' ? 'too_large' : 'unreadable', 1)
    throw validationError(code, 'No events.', null)
  }
  const { events, losses } = parsed.value
  if (losses !== NO_LOSSES) warnings.lose(projectId, losses)
  account?.charge(events.length)
  const dropped = requests.length - events.length
  const outcome = await route.ingest(batchOf(projectId, events))
  if (outcome.kind !== 'stored' && outcome.kind !== 'spilled') {
    const reason = refusalOf(outcome)
    const losses = events.map((event) => lossOf(reason, event))
    warnings.loseAll(projectId, losses)
    throw unstored(outcome)
  }
  return { status: 1, accepted: events.length, dropped }
}

/** @throws {AppError} `resource_exhausted` with the seconds to wait. */
function refuseLimited(limited: Limited | undefined): void {
  if (limited === undefined) return
  const detail = throttledDetail(limited.retryAfterS)
  throw new AppError('resource_exhausted', 'over the limits of the project', { detail })
}

function toPayload(request: CaptureRequest__Output): object {
  return {
    event: request.event,
    distinct_id: request.distinct_id,
    properties: request.properties === null ? {} : fromStruct(request.properties),
    ...(request.timestamp === '' ? {} : { timestamp: request.timestamp }),
    ...(request.uuid === '' ? {} : { uuid: request.uuid }),
  }
}

type Refused = Exclude<IngestOutcome, { kind: 'stored' | 'spilled' }>

function refusalOf(outcome: Refused): WarningReason {
  if (outcome.kind === 'no_project') return 'removed_project'
  if (outcome.kind === 'overloaded') return 'overloaded'
  return outcome.isSpillFull === true ? 'spill_full' : 'unavailable'
}

function unstored(outcome: Refused): AppError {
  switch (outcome.kind) {
    case 'no_project':
      return invalidProjectKey()
    case 'overloaded':
      return new AppError('resource_exhausted', 'ingest is full', {
        detail: { ...unavailableDetail, retryAfterS: outcome.retryAfterS },
      })
    case 'unavailable':
      return new AppError('unavailable', 'events could not be stored', {
        cause: outcome.cause,
        detail: { ...unavailableDetail, retryAfterS: outcome.retryAfterS },
      })
    default:
      return outcome satisfies never
  }
}

async function decide(
  service: DecideService,
  state: ProjectState,
  request: DecideRequest__Output,
): Promise<DecideResponse> {
  const [answer] = await service.decide([
    {
      state,
      request: {
        distinctId: request.distinct_id,
        anonDistinctId: request.anon_distinct_id,
        deviceId: request.device_id,
        groups: request.groups === null ? undefined : fromStruct(request.groups),
        personProperties:
          request.person_properties === null ? undefined : fromStruct(request.person_properties),
        groupProperties:
          request.group_properties === null ? undefined : fromStruct(request.group_properties),
        flagKeys: request.flag_keys.length === 0 ? undefined : request.flag_keys,
        evaluationRuntime: request.evaluation_runtime || undefined,
        evaluationContexts:
          request.evaluation_contexts.length === 0 ? undefined : request.evaluation_contexts,
      },
    },
  ])
  if (answer === undefined) throw new AppError('internal', 'no answer to a question')
  const { results, errorsWhileComputingFlags } = answer.evaluation
  return {
    flags: results.map(toFlagValue),
    errors_while_computing_flags: errorsWhileComputingFlags,
    revision: answer.revision,
  }
}

function toFlagValue(result: FlagResult) {
  const { value, reason } = result
  return {
    key: result.key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : '',
    reason_code: reason.code,
    ...(reason.conditionIndex === null ? {} : { condition_index: reason.conditionIndex }),
    reason_description: reason.description,
    payload: result.payload ?? '',
    id: result.id,
    version: result.version,
    description: result.description,
  }
}
