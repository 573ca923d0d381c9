import type { DecideAnswer__Output } from '../../proto/gen/sluice/v1/DecideAnswer.ts'
import type { DecideBatchRequest__Output } from '../../proto/gen/sluice/v1/DecideBatchRequest.ts'
import type { DecideBatchResponse__Output } from '../../proto/gen/sluice/v1/DecideBatchResponse.ts'
import type { DecideQuestion__Output } from '../../proto/gen/sluice/v1/DecideQuestion.ts'
import type { AppError } from '../core/code.ts'
import { type ProjectId, projectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { JsonObject } from '../flags/definition.ts'
import { type MembersShape, renderMembers } from '../flags/render.ts'
import type { FlagRequest } from '../flags/subject.ts'
import type { DecideQuestion, DecideService } from '../project/decide.ts'
import type { ProjectActor } from '../project/project-actor.ts'
import type { Handler } from './call.ts'
import type { MemberAuth } from './member-auth.ts'
import { toLoggedAppError } from './status.ts'

export type DecideDeps = {
  memberAuth: MemberAuth
  peek: (project: ProjectId) => ProjectActor | undefined
  activate: (project: ProjectId) => Promise<ProjectActor>
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
  const resolve = async (wire: DecideQuestion__Output): Promise<Resolved> => {
    try {
      const project = projectId(wire.project_id)
      const actor = deps.peek(project) ?? (await deps.activate(project))
      return { kind: 'question', question: { state: actor.state(), request: toRequest(wire) } }
    } catch (error) {
      const failure = toLoggedAppError(error, deps.log, 'DecideBatch')
      return { kind: 'refused', answer: refusal(failure) }
    }
  }
  return async (request, context) => {
    deps.memberAuth(context)
    const resolved = await Promise.all(request.questions.map(resolve))
    const asked = resolved.flatMap((each) => (each.kind === 'question' ? [each.question] : []))
    const decided = await deps.service.decide(asked)
    let next = 0
    const answers = resolved.map((each, index) => {
      if (each.kind === 'refused') return each.answer
      const { revision, evaluation } = decided[next++] as (typeof decided)[number]
      const shape = toShape(request.questions[index]?.shape)
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
  return text === '' ? undefined : (JSON.parse(text) as JsonObject)
}
