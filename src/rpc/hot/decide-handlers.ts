/** `DecideBatch`: the questions of gateways about flags. */

import type { DecideAnswer__Output } from '../../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideBatchRequest__Output } from '../../../proto/gen/sluice/v1/DecideBatchRequest.ts'
import type { DecideBatchResponse__Output } from '../../../proto/gen/sluice/v1/DecideBatchResponse.ts'
import type { DecideQuestion__Output } from '../../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { AppError } from '../../core/code.ts'
import { type ProjectId, projectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import type { Log } from '../../core/log.ts'
import { type MembersShape, renderMembers } from '../../flags/render.ts'
import type { FlagRequest } from '../../flags/subject.ts'
import type { DecideService } from '../../project/decide.ts'
import type { SnapshotOutcome, Snapshots } from '../../project/snapshots.ts'
import type { DecideQuestion } from '../../project/stored-readings.ts'
import type { Handler } from '../../wire/call.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import { toLoggedAppError } from '../server/status.ts'

export type DecideDeps = {
  memberAuth: MemberAuth
  snapshots: Pick<Snapshots, 'peek' | 'read'>
  service: DecideService
  log: Log
}

type Resolved =
  | { readonly kind: 'question'; readonly question: DecideQuestion }
  | { readonly kind: 'refused'; readonly answer: DecideAnswer__Output }

/** Many questions in one call; each is answered or refused by itself. */
export function createDecideBatch(
  deps: DecideDeps,
): Handler<DecideBatchRequest__Output, DecideBatchResponse__Output> {
  const { memberAuth, snapshots, service, log } = deps
  const refuse = (error: unknown): Resolved => {
    const failure = toLoggedAppError(error, log, 'DecideBatch')
    return { kind: 'refused', answer: refusal(failure) }
  }
  const resolve = (wire: DecideQuestion__Output, outcome?: SnapshotOutcome): Resolved => {
    if (outcome?.kind !== 'state') return refuse(outcome?.error)
    try {
      const question = { state: outcome.state, request: toRequest(wire) }
      return { kind: 'question', question }
    } catch (error) {
      return refuse(error)
    }
  }
  return async (request, context) => {
    memberAuth(context)
    const { questions } = request
    const { outcomes, missing } = peekAll(snapshots, questions)
    if (missing.length > 0) {
      for (const [project, outcome] of await snapshots.read(missing)) outcomes.set(project, outcome)
    }
    const resolved = questions.map((wire) => resolve(wire, outcomes.get(wire.project_id)))
    const asked = resolved.flatMap((each) => (each.kind === 'question' ? [each.question] : []))
    const decided = await service.decide(asked)
    let next = 0
    const answers = resolved.map((each, index) => {
      if (each.kind === 'refused') return each.answer
      const { revision, evaluation } = decided[next++] as (typeof decided)[number]
      const shape = toShape(questions[index]?.shape)
      return {
        code: '',
        retry_after_s: 0,
        revision,
        members: renderMembers(shape, evaluation),
        depends_on_stored: evaluation.dependsOnStored,
        volatile: evaluation.timeDependent || evaluation.errorsWhileComputingFlags,
      }
    })
    return { answers }
  }
}

/** Outcomes of trusted snapshots, without waiting, and the projects that must be read. */
function peekAll(
  snapshots: DecideDeps['snapshots'],
  questions: readonly DecideQuestion__Output[],
): { outcomes: Map<number, SnapshotOutcome>; missing: readonly ProjectId[] } {
  const outcomes = new Map<number, SnapshotOutcome>()
  const missing = new Set<ProjectId>()
  let last = 0
  for (const { project_id: id } of questions) {
    if (id === last || outcomes.has(id)) continue
    last = id
    try {
      const project = projectId(id)
      const state = snapshots.peek(project)
      if (state === undefined) missing.add(project)
      else outcomes.set(id, { kind: 'state', state })
    } catch (error) {
      outcomes.set(id, { kind: 'failed', error })
    }
  }
  return { outcomes, missing: [...missing] }
}

function refusal(error: AppError): DecideAnswer__Output {
  return {
    code: error.code,
    retry_after_s: error.detail?.retryAfterS ?? 1,
    revision: 0,
    members: '',
    depends_on_stored: false,
    volatile: true,
  }
}

function toShape(text: string | undefined): MembersShape {
  return text === 'v1' || text === 'v2' || text === 'v4' || text === 'ofrep' ? text : 'v3'
}

function toRequest(wire: DecideQuestion__Output): FlagRequest {
  return {
    distinctId: wire.distinct_id,
    anonDistinctId: wire.anon_distinct_id,
    deviceId: wire.device_id,
    groups: toObject(wire.groups),
    personProperties: toObject(wire.person_properties),
    groupProperties: toObject(wire.group_properties),
    flagKeys: wire.has_flag_keys ? wire.flag_keys : undefined,
    evaluationRuntime: wire.evaluation_runtime === '' ? undefined : wire.evaluation_runtime,
    evaluationContexts:
      wire.evaluation_contexts.length === 0 ? undefined : wire.evaluation_contexts,
  }
}

/** The gateway wrote the text from a parsed object. */
function toObject(text: string): JsonObject | undefined {
  return text === '' ? undefined : (parseExact(text) as JsonObject)
}
