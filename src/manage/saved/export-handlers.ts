/** Handler that answers an insight's question as a file. */
import type { ExportSavedInsightRequest__Output } from '../../../proto/gen/sluice/v1/ExportSavedInsightRequest.ts'
import type { SavedInsightServiceDefinition } from '../../../proto/gen/sluice/v1/SavedInsightService.ts'
import { accepted, found } from '../../access/errors.ts'
import type { Log } from '../../core/log.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import type { Sql } from '../../postgres/connect.ts'
import { answerQuestion, askingProject } from '../../query/insights/answer.ts'
import { createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { type EventReadsDeps, readsOf } from '../../query/list/events-list.ts'
import { findProject } from '../../store/projects/project-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import {
  EXPORT_FORMATS,
  type ExportAsked,
  exportAnswer,
  PICTURE_SIZE,
} from '../export/export-answer.ts'
import { createPngRenderer } from '../export/png.ts'
import type { Management } from '../management.ts'
import { insightOf } from './insight-of.ts'

type Handler = Pick<ServiceHandlers<SavedInsightServiceDefinition>, 'ExportSavedInsight'>

export type ExportHandlersDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Sql
  readonly columnar: ColumnarInsights
  readonly log: Log
}

/** Letters of an insight's name that the name of a file keeps. */
const FILE_NAME_CHARS_MAX = 60

export function createExportHandlers(deps: ExportHandlersDeps): Handler {
  const { management, sql, columnar, log } = deps
  const cache = createAnswerCache(sql, log)
  const renderPng = createPngRenderer()
  return {
    ExportSavedInsight: management.underProject(
      '/sluice.v1.SavedInsightService/ExportSavedInsight',
      {
        async find({ request, access }) {
          const insight = await insightOf(sql, access.projectId, request.id)
          return found(insight.deleted ? undefined : insight)
        },
        async run({ request, access, context: { signal } }, insight) {
          const project = askingProject(found(await findProject(sql, access.projectId)))
          const reading = { ...readsOf(deps, access), cache, columnar }
          const { query } = insight
          const answer = accepted(
            await answerQuestion(reading, project, query, { path: 'query' }, signal),
          )
          const asked = askedOf(request)
          const name = insight.name || insight.shortId
          const answered = { name, question: query, answer }
          const { content, contentType } = await exportAnswer(answered, asked, renderPng, signal)
          return {
            content: Buffer.from(content),
            content_type: contentType,
            file_name: `${fileNameOf(insight.name) || insight.shortId}.${asked.format}`,
          }
        },
      },
    ),
  }
}

/** Relies on the validator, which has refused other formats and sizes. */
function askedOf(request: ExportSavedInsightRequest__Output): ExportAsked {
  const { width = PICTURE_SIZE.width, height = PICTURE_SIZE.height } = request
  return {
    format: EXPORT_FORMATS.find((each) => each === request.format) ?? 'csv',
    size: { width, height },
    theme: request.theme === 'dark' ? 'dark' : 'light',
    cells: request.raw === true ? 'raw' : 'guarded',
  }
}

/** Letters and digits that every system takes: `orders-by-hour`. */
function fileNameOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, FILE_NAME_CHARS_MAX)
}
