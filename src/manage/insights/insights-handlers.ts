/** Handlers of `InsightService`: questions about events. */
import { randomUUID } from 'node:crypto'
import type { InsightServiceDefinition } from '../../../proto/gen/sluice/v1/InsightService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found, notFound } from '../../access/errors.ts'
import { isList } from '../../core/json.ts'
import { INSIGHT_ASYNC_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Log } from '../../core/log.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import type { Sql } from '../../postgres/connect.ts'
import { askingProject, checkQuestion } from '../../query/insights/answer.ts'
import { createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { createQueryJobs, type Work } from '../../query/insights/jobs/query-jobs.ts'
import type { EventReadsDeps } from '../../query/list/events-list.ts'
import { findProject } from '../../store/projects/project-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { createRunQuestions } from './run-questions.ts'

/** Milliseconds that it waits for a place. */
const INSIGHT_ASYNC_WAIT_MS = 60_000

const SERVICE = '/sluice.v1.InsightService'

export type InsightHandlersDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Sql
  /** Answers questions where it can, before `scanSql` does. */
  readonly columnar: ColumnarInsights
  readonly log: Log
}

export function createInsightHandlers({
  management,
  sql,
  scanSql,
  events,
  columnar,
  queryLimiter,
  clock,
  log,
}: InsightHandlersDeps): ServiceHandlers<InsightServiceDefinition> {
  const jobs = createQueryJobs({ sql, clock, log })
  const runQuestions = createRunQuestions()
  const cache = createAnswerCache(sql, log)
  const asking = async ({ projectId }: ProjectAccess) =>
    askingProject(found(await findProject(sql, projectId)))
  return {
    RunQuery: management.underProject(`${SERVICE}/RunQuery`, {
      async run({ request, access, context: { signal } }) {
        const asked = fromValue(request.query)
        const project = await asking(access)
        const { refresh = 'blocking', client_query_id: name } = request
        const questions = { project, asked, refresh }
        const named = (work: Work) => ({
          project: project.id,
          id: name || randomUUID(),
          work,
          total: isList(asked) ? asked.length : 1,
        })
        const reading = { sql: scanSql, events, clock, cache, columnar }
        if (refresh === 'async' && !isList(asked)) {
          const own = queryLimiter.of(access.organizationId)
          accepted(await checkQuestion({ ...reading, scans: own }, project, asked, signal))
          const scans = queryLimiter.of(access.organizationId, INSIGHT_ASYNC_WAIT_MS)
          const deps = { ...reading, scans, timeoutMs: INSIGHT_ASYNC_TIMEOUT_MS }
          const work: Work = (ending, onDone) => runQuestions(deps, questions, ending, onDone)
          return { answer: await jobs.start(named(work), access.organizationId), is_running: true }
        }
        const deps = { ...reading, scans: queryLimiter.of(access.organizationId) }
        const work: Work = (ending, onDone) => runQuestions(deps, questions, ending, onDone)
        const answer = name
          ? await jobs.wait(named(work), signal)
          : await runQuestions(deps, questions, signal)
        return { answer, is_running: false }
      },
    }),

    GetQuery: management.underProject(`${SERVICE}/GetQuery`, {
      async run({ request, access }) {
        const status = await jobs.status(access.projectId, request.client_query_id)
        return { status: found(status) }
      },
    }),

    CancelQuery: management.underProject(`${SERVICE}/CancelQuery`, {
      async run({ request, access }) {
        if (!(await jobs.cancel(access.projectId, request.client_query_id))) throw notFound()
        return {}
      },
    }),
  }
}
