/** Handlers of `InsightService`: questions about events. */
import type { InsightServiceDefinition } from '../../../proto/gen/sluice/v1/InsightService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found, invalid } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import { isList, type Json } from '../../core/json.ts'
import { INSIGHT_QUESTIONS_MAX } from '../../core/limits/limits.ts'
import type { Result } from '../../core/result.ts'
import {
  type AnswerDeps,
  type AskingProject,
  answerQuestion,
  type InsightAnswer,
} from '../../query/insights/answer.ts'
import type { QuestionError } from '../../query/insights/question.ts'
import type { ScanGate } from '../../query/scan-gate.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { findProject } from '../../store/projects/project-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'

const SERVICE = '/sluice.v1.InsightService'

export type InsightHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly scanGate: ScanGate
  readonly clock: Clock
}

export function createInsightHandlers({
  management,
  sql,
  scanSql,
  scanGate,
  clock,
}: InsightHandlersDeps): ServiceHandlers<InsightServiceDefinition> {
  const asking = async ({ projectId }: ProjectAccess): Promise<AskingProject> => {
    const { timezone, testAccountFilters } = found(await findProject(sql, projectId))
    return { id: projectId, timezone, testAccountFilters }
  }
  return {
    RunQuery: management.underProject(`${SERVICE}/RunQuery`, {
      async run({ request, access, context: { signal } }) {
        const asked = fromValue(request.query)
        const project = await asking(access)
        const deps = { sql: scanSql, clock, scans: scanGate.of(access.organizationId) }
        const answer = isList(asked)
          ? await answerList(deps, project, asked, signal)
          : accepted(await answerQuestion(deps, project, asked, 'query', signal))
        return { answer: JSON.stringify(answer) }
      },
    }),
  }
}

/** One question that cannot be answered does not spoil the others. */
async function answerList(
  deps: AnswerDeps,
  project: AskingProject,
  asked: readonly Json[],
  signal: AbortSignal,
): Promise<InsightAnswer> {
  if (asked.length === 0 || asked.length > INSIGHT_QUESTIONS_MAX) {
    throw invalid(`Must have 1 to ${INSIGHT_QUESTIONS_MAX} questions.`, 'query')
  }
  const results: unknown[] = []
  for (const [index, question] of asked.entries()) {
    const path = `query.${index}`
    results.push(itemOf(await answerQuestion(deps, project, question, path, signal)))
  }
  return { results }
}

function itemOf(answer: Result<InsightAnswer, QuestionError>): InsightAnswer {
  if (answer.ok) return answer.value
  const { code, detail, attr } = answer.error
  return { error: { type: 'validation_error', code, detail, attr } }
}
