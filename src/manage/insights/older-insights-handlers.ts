/** Handlers of `OlderInsightService`: flat questions of older clients. */
import type { OlderInsightServiceDefinition } from '../../../proto/gen/sluice/v1/OlderInsightService.ts'
import type { OlderQuestionRequest__Output } from '../../../proto/gen/sluice/v1/OlderQuestionRequest.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found } from '../../access/errors.ts'
import { err, ok } from '../../core/result.ts'
import { answerQuestion, askingProject } from '../../query/insights/answer.ts'
import { type AnswerCache, createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { type OlderCall, translate } from '../../query/insights/older/translate.ts'
import { findProject } from '../../store/projects/project-store.ts'
import type { CallContext } from '../../wire/call.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { objectOf, withoutKey } from '../wire-value.ts'
import type { InsightHandlersDeps } from './insights-handlers.ts'

const SERVICE = '/sluice.v1.OlderInsightService'

type Asked = {
  readonly request: OlderQuestionRequest__Output
  readonly access: ProjectAccess
  readonly context: CallContext
}

type OlderDeps = InsightHandlersDeps & { readonly cache: AnswerCache }

export function createOlderInsightHandlers(
  deps: InsightHandlersDeps,
): ServiceHandlers<OlderInsightServiceDefinition> {
  const { management, sql } = deps
  const asking = { ...deps, cache: createAnswerCache(sql, deps.log) }
  return {
    AskTrend: management.underProject(`${SERVICE}/AskTrend`, {
      run: (asked) => answerOlder(asking, 'trend', asked),
    }),
    AskFunnel: management.underProject(`${SERVICE}/AskFunnel`, {
      run: (asked) => answerOlder(asking, 'funnel', asked),
    }),
    AskRetention: management.underProject(`${SERVICE}/AskRetention`, {
      run: (asked) => answerOlder(asking, 'retention', asked),
    }),
  }
}

async function answerOlder(
  { sql, scanSql, events, columnar, queryLimiter, clock, cache }: OlderDeps,
  call: OlderCall,
  { request, access, context: { signal } }: Asked,
): Promise<{ answer: string }> {
  const { projectId, organizationId } = access
  const flat = withoutKey(objectOf(request.question), () => false)
  const { query, attrOf } = accepted(translate(call, flat))
  const project = askingProject(found(await findProject(sql, projectId)))
  const scans = queryLimiter.of(organizationId)
  const deps = { sql: scanSql, events, clock, scans, cache, columnar }
  const asking = { path: '', isForced: flat['refresh'] === true }
  const answer = await answerQuestion(deps, project, query, asking, signal)
  const named = (attr: string | null) => (attr === null ? null : attrOf(attr))
  const { results, ...frame } = accepted(
    answer.ok ? ok(answer.value) : err({ ...answer.error, attr: named(answer.error.attr) }),
  )
  return {
    answer: JSON.stringify({
      result: results,
      timezone: frame['timezone'],
      last_refresh: frame['last_refresh'],
      is_cached: frame['is_cached'],
    }),
  }
}
