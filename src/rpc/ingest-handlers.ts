import type { IngestBatchRequest__Output } from '../../proto/gen/sluice/v1/IngestBatchRequest.ts'
import type { IngestBatchResponse__Output } from '../../proto/gen/sluice/v1/IngestBatchResponse.ts'
import type { IngestEvent__Output } from '../../proto/gen/sluice/v1/IngestEvent.ts'
import type { IngestGroup__Output } from '../../proto/gen/sluice/v1/IngestGroup.ts'
import type { IngestOutcome__Output } from '../../proto/gen/sluice/v1/IngestOutcome.ts'
import type { Code } from '../core/code.ts'
import { type ProjectId, projectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { IngestEvent, PersonMerge } from '../ingest/event.ts'
import { NO_PERSON_CHANGE } from '../ingest/event.ts'
import type { IngestGroup, IngestOutcome } from '../project/ports.ts'
import type { ProjectActor } from '../project/project-actor.ts'
import type { Handler } from './call.ts'
import type { MemberAuth } from './member-auth.ts'
import { toLoggedAppError } from './status.ts'

/** What an event costs beside its texts, in bytes; part of every ingest bound. */
const EVENT_OVERHEAD_BYTES = 256

const MERGES: Readonly<Record<IngestEvent__Output['merge'], PersonMerge['kind'] | undefined>> = {
  MERGE_KIND_NONE: undefined,
  MERGE_KIND_IDENTIFY: 'identify',
  MERGE_KIND_ALIAS: 'alias',
  MERGE_KIND_DANGEROUSLY: 'dangerously',
}

export type IngestDeps = {
  memberAuth: MemberAuth
  /** The active actor at once, or `undefined`. */
  peek: (project: ProjectId) => ProjectActor | undefined
  activate: (project: ProjectId) => Promise<ProjectActor>
  log: Log
}

/** One micro-batch: each group goes to its project's actor; answers when all are decided. */
export function createIngestBatch(
  deps: IngestDeps,
): Handler<IngestBatchRequest__Output, IngestBatchResponse__Output> {
  const ingest = async (wire: IngestGroup__Output): Promise<IngestOutcome__Output> => {
    try {
      const group = toGroup(wire)
      const actor = deps.peek(group.projectId) ?? (await deps.activate(group.projectId))
      return toWireOutcome(await actor.ingest(group))
    } catch (error) {
      // The other groups of the call must not fail with this one.
      const failure = toLoggedAppError(error, deps.log, 'IngestBatch')
      return { code: failure.code, retry_after_s: failure.detail?.retryAfterS ?? 1 }
    }
  }
  return async (request, context) => {
    deps.memberAuth(context)
    return { outcomes: await Promise.all(request.groups.map(ingest)) }
  }
}

function toWireOutcome(outcome: IngestOutcome): IngestOutcome__Output {
  switch (outcome.kind) {
    case 'stored':
      return { code: '', retry_after_s: 0 }
    case 'overloaded':
      return { code: 'resource_exhausted' satisfies Code, retry_after_s: outcome.retryAfterS }
    case 'unavailable':
      return { code: 'unavailable' satisfies Code, retry_after_s: outcome.retryAfterS }
    case 'no_project':
      return { code: 'not_found' satisfies Code, retry_after_s: 0 }
    default:
      return outcome satisfies never
  }
}

function toGroup(wire: IngestGroup__Output): IngestGroup {
  let bytes = 0
  const events = wire.events.map((event) => {
    bytes += EVENT_OVERHEAD_BYTES + event.properties.length + event.set.length
    bytes += event.set_once.length + event.elements_chain.length
    return toEvent(event)
  })
  return { projectId: projectId(wire.project_id), events, bytes }
}

function toEvent(wire: IngestEvent__Output): IngestEvent {
  return {
    uuid: wire.uuid,
    event: wire.event,
    distinctId: wire.distinct_id,
    timestamp: wire.timestamp,
    properties: wire.properties,
    elementsChain: wire.elements_chain,
    person: toPersonChange(wire),
    groups: wire.groups,
    groupChange: wire.group_change ?? undefined,
  }
}

function toPersonChange(wire: IngestEvent__Output): IngestEvent['person'] {
  const kind = MERGES[wire.merge]
  const plain = kind === undefined && wire.set === '' && wire.set_once === ''
  if (plain && wire.unset.length === 0 && !wire.no_profile) return NO_PERSON_CHANGE
  return {
    profile: !wire.no_profile,
    setOnce: wire.set_once,
    set: wire.set,
    unset: wire.unset,
    merge: kind === undefined ? undefined : { kind, otherDistinctId: wire.merge_distinct_id },
  }
}
