/** Answers `WebStatsTableQuery`: a row for each value of a breakdown. */
import type { ProjectId } from '../../../core/ids.ts'
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { EVENT_NUMBERS, PAGE_BIT, VIEW_BIT } from '../../../events/sessions/fold-sessions.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { memoized } from '../sessions/memoized.ts'
import type { Range } from '../time/grid.ts'
import {
  addActor,
  addConversions,
  addEntry,
  addSession,
  conversionsOf,
  FILTER_ROLE,
  noSessions,
  type SessionCounts,
  share,
  viewsOf,
} from './count-sessions.ts'
import { bitsAt, itemAt, type SeenSession, visitSessions } from './visit-sessions.ts'
import type { WebOrder, WebStatsQuestion } from './web-question.ts'
import {
  isOfEvents,
  keyOfSession,
  readsOfBreakdown,
  valueOfSession,
  type WebValue,
} from './web-values.ts'

type Row = { readonly value: WebValue; readonly now: SessionCounts; readonly before: SessionCounts }
/** By value; one that is a list, by its text. */
type Rows = Map<string | null, Row>
type Period = 'now' | 'before'

/** @param compared range of the previous values; undefined without any. */
export async function askStats(
  reader: InsightReader,
  project: ProjectId,
  question: WebStatsQuestion,
  selected: readonly Selected[],
  { current, compared }: { readonly current: Range; readonly compared: Range | undefined },
): Promise<Result<object, QuestionError>> {
  const rows: Rows = new Map()
  const periods = [
    ['now', current],
    ['before', compared],
  ] as const
  for (const [period, range] of periods) {
    if (range === undefined) continue
    const failed = await count(reader, project, question, selected, { range, period, rows })
    if (failed !== undefined) return err(failed)
  }
  return ok(tableOf(question, rows, compared !== undefined))
}

async function count(
  reader: InsightReader,
  project: ProjectId,
  question: WebStatsQuestion,
  selected: readonly Selected[],
  { range, period, rows }: { range: Range; period: Period; rows: Rows },
): Promise<QuestionError | undefined> {
  const { by, goal } = question
  const asked = {
    range,
    filters: question.sessions,
    includesBots: question.includesBots,
    roles: selected.map(({ role }) => role),
    ...readsOfBreakdown(by),
  }
  const countsOf = (value: WebValue) => {
    // Values of one breakdown are texts, or they are lists.
    const key = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    let row = rows.get(key)
    if (row === undefined) {
      row = { value, now: noSessions(), before: noSessions() }
      rows.set(key, row)
    }
    return row[period]
  }
  const rowOf = (value: WebValue | undefined) => (value === undefined ? null : countsOf(value))
  if (isOfEvents(by)) {
    const ofItem = memoized((item, { texts }: SeenSession) => rowOf(texts.page(item)))
    return await visitSessions(reader, project, asked, (seen) => {
      if (!seen.isBot) addItems(by, seen, goal === undefined ? 0 : conversionsOf(seen), ofItem)
    })
  }
  const ofKey = memoized((_, { session, texts }: SeenSession) =>
    rowOf(valueOfSession(by, session, texts)),
  )
  return await visitSessions(reader, project, asked, (seen) => {
    const views = seen.isBot ? 0 : viewsOf(seen)
    if (views === 0) return
    const counts = ofKey(keyOfSession(by, seen.session), seen)
    if (counts !== null)
      addSession(counts, seen, views, goal === undefined ? 0 : conversionsOf(seen))
  })
}

/** Bits that an event with an item of the breakdown has, of these. */
const KINDS = { Page: VIEW_BIT + PAGE_BIT, ScreenName: VIEW_BIT, ExitClick: 0 }

/**
 * Adds each item of a session to its row. A session that begins with a page is one of the page's
 * bounce rate.
 */
function addItems(
  by: keyof typeof KINDS,
  seen: SeenSession,
  conversions: number,
  countsOf: (item: number, seen: SeenSession) => SessionCounts | null,
): void {
  const { session, actor, nth, roleBits } = seen
  const filterBit = roleBits[FILTER_ROLE] ?? 0
  const wanted = KINDS[by] + filterBit
  const compared = VIEW_BIT + PAGE_BIT + filterBit
  const { runs } = session
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] ?? 0
    for (let place = runs[run] ?? 0; place < end; place += EVENT_NUMBERS) {
      if ((bitsAt(actor, place) & compared) !== wanted) continue
      const counts = countsOf(itemAt(actor, place), seen)
      if (counts === null) continue
      counts.views += 1
      if (counts.session === session) continue
      counts.session = session
      counts.sessions += 1
      addActor(counts, nth)
      addConversions(counts, nth, conversions)
    }
  }
  const entry = by === 'Page' && viewsOf(seen) > 0 ? countsOf(session.entry, seen) : null
  if (entry !== null) addEntry(entry, seen)
}

type Column = {
  readonly name: string
  readonly of: (counts: SessionCounts) => number | null
}

const COLUMNS: Readonly<Record<WebOrder, Column>> = {
  Visitors: { name: 'visitors', of: ({ visitors }) => visitors },
  Views: { name: 'views', of: ({ views }) => views },
  BounceRate: { name: 'bounce_rate', of: ({ bounces, entries }) => share(bounces, entries) },
  TotalConversions: { name: 'total_conversions', of: ({ conversions }) => conversions },
  UniqueConversions: { name: 'unique_conversions', of: ({ converted }) => converted },
  ConversionRate: {
    name: 'conversion_rate',
    of: ({ converted, visitors }) => share(converted, visitors),
  },
}

function tableOf(question: WebStatsQuestion, rows: Rows, isCompared: boolean): object {
  const { goal, hasBounceRate, order, limit, offset } = question
  const columns = [
    ...(['Visitors', 'Views'] as const),
    ...(hasBounceRate ? (['BounceRate'] as const) : []),
    ...(goal === undefined
      ? []
      : (['TotalConversions', 'UniqueConversions', 'ConversionRate'] as const)),
  ].map((name) => COLUMNS[name])
  // The entry of a session may be a page whose views the filters leave out.
  const shown = [...rows.values()].filter(({ now, before }) => now.views > 0 || before.views > 0)
  const sorted = shown.toSorted(byOrder(order))
  const page = sorted.slice(offset, offset + limit)
  return {
    results: page.map(({ value, now, before }) => [
      value,
      ...columns.map(({ of }) => [of(now), isCompared ? of(before) : null]),
    ]),
    columns: ['breakdown_value', ...columns.map(({ name }) => name)],
    hasMore: sorted.length > offset + limit,
    limit,
    offset,
  }
}

/** Rows without a number are last; then by visitors, views, and the value by code point. */
function byOrder({ by, isAscending }: WebStatsQuestion['order']): (a: Row, b: Row) => number {
  const falling = ({ of }: Column) => {
    return (a: Row, b: Row) => (of(b.now) ?? -1) - (of(a.now) ?? -1)
  }
  const { of } = COLUMNS[by]
  const rising = (a: Row, b: Row) => (of(a.now) ?? Infinity) - (of(b.now) ?? Infinity)
  const first = isAscending ? rising : falling(COLUMNS[by])
  const byVisitors = falling(COLUMNS.Visitors)
  const byViews = falling(COLUMNS.Views)
  const text = ({ value }: Row) => (typeof value === 'string' ? value : JSON.stringify(value))
  return (a, b) => first(a, b) || byVisitors(a, b) || byViews(a, b) || byCodePoint(text(a), text(b))
}
