/** Answers with a table of events. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { EventListDeps } from '../../list/events-list.ts'
import { readEventTable } from '../../table/event-table.ts'
import { rowJson } from '../../table/row-json.ts'
import { JsonText } from '../answer-text.ts'
import type { EventsQuestion, QuestionError } from '../question.ts'

/** Members of the answer: those of a list of events with `select`. */
export type EventsAnswer = {
  /** The expressions as sent, and the type of each. */
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** A list of rows, each a list of cells. */
  readonly results: JsonText
  readonly hasMore: boolean
  readonly limit: number
  readonly offset: number
  /** Rows of the whole result. */
  readonly count: number
  /** As `before`, requests further pages of the same events. */
  readonly pinned_before: string
}

/**
 * @param signal ends the wait for a place, and a running statement.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function askEvents(
  deps: EventListDeps,
  project: ProjectId,
  { query, page }: EventsQuestion,
  signal: AbortSignal,
): Promise<Result<EventsAnswer, QuestionError>> {
  const table = await readEventTable(deps, project, query, page, signal)
  if (!table.ok) return err(table.error)
  const { columns, types, rows, hasMore, count, pinnedBefore } = table.value
  const results = new JsonText(`[${rows.map(rowJson).join()}]`)
  return ok({ columns, types, results, hasMore, ...page, count, pinned_before: pinnedBefore })
}
