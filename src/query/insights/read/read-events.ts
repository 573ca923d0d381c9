/** Reads `EventsQuery`. */

import { PAGE_LIMIT_DEFAULT } from '../../../core/limits/limits.ts'
import { parseEventTable } from '../../table/event-table.ts'
import type { EventsQuestion } from '../question.ts'
import { type Reading, requireKnownFilters } from './common.ts'
import { type Members, membersOf, QuestionProblem } from './members.ts'

/** Rows of a table of events, as a list of them has. */
const INSIGHT_TABLE_ROWS_MAX = 10_000

export const EVENTS_MEMBERS = [
  'kind',
  'select',
  'where',
  'properties',
  'event',
  'after',
  'before',
  'orderBy',
  'limit',
  'offset',
  'tags',
  'version',
  'modifiers',
] as const

const OFFSET_MAX = 2_147_483_647

/** @throws {QuestionProblem} */
export function readEvents(question: Members, reading: Reading): EventsQuestion {
  const modifiers = question.json('modifiers')
  if (modifiers !== undefined) membersOf(modifiers, question.at('modifiers'), [])
  const query = parseEventTable(
    {
      after: question.text('after') ?? '',
      before: question.text('before') ?? '',
      event: question.text('event'),
      distinctId: undefined,
      personId: undefined,
      properties: JSON.stringify(question.json('properties') ?? []),
      cohorts: reading.cohorts,
      zone: reading.zone,
      select: [textList(question, 'select')],
      where: [textList(question, 'where')],
      orderBy: textList(question, 'orderBy'),
    },
    reading.nowMs,
    reading.zone,
  )
  if (!query.ok) throw new QuestionProblem(question.at(query.error.attr ?? ''), query.error.detail)
  requireKnownFilters(question, 'properties')
  const limit = question.whole('limit', 1, INSIGHT_TABLE_ROWS_MAX) ?? PAGE_LIMIT_DEFAULT
  const offset = question.whole('offset', 0, OFFSET_MAX) ?? 0
  return { kind: 'events', query: query.value, page: { limit, offset } }
}

/** The JSON text of a list of texts. */
function textList(question: Members, name: string): string {
  const items = question.list(name) ?? []
  if (items.every((item) => typeof item === 'string')) return JSON.stringify(items)
  throw new QuestionProblem(question.at(name), 'Must be a list of expressions, each a text.')
}
