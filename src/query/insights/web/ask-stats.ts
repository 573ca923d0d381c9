/** Answers `WebStatsTableQuery`: a row for each value of a breakdown. */
import type { ProjectId } from '../../../core/ids.ts'
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { PAGE_BIT, VIEW_BIT } from '../../../events/sessions/fold-sessions.ts'
import type { QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
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
import { isOfEvents, readsOfBreakdown, valueOfSession, type WebValue } from './web-values.ts'

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
  return await visitSessions(reader, project, asked, (seen) => {
    if (seen.isBot) return
    const conversions = goal === undefined ? 0 : conversionsOf(seen)
    if (isOfEvents(by)) {
      addItems(by, seen, conversions, countsOf)
      return
    }
    const views = viewsOf(seen)
    const value = views === 0 ? undefined : valueOfSession(by, seen.session, seen.texts)
    if (value !== undefined) addSession(countsOf(value), seen, views, conversions)
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
  countsOf: (value: WebValue) => SessionCounts,
): void {
  const { session, actor, nth, texts, roleBits } = seen
  const filterBit = roleBits[FILTER_ROLE] ?? 0
  const kind = KINDS[by]
  const rows: SessionCounts[] = []
  for (const place of session.places) {
    const bits = bitsAt(actor, place)
    if ((bits & (VIEW_BIT + PAGE_BIT)) !== kind || (bits & filterBit) === 0) continue
    const item = texts.page(itemAt(actor, place))
    if (item === undefined) continue
    const counts = countsOf(item)
    counts.views += 1
    if (counts.session === session) continue
    counts.session = session
    rows.push(counts)
  }
  for (const counts of rows) {
    addActor(counts, nth)
    counts.sessions += 1
    addConversions(counts, nth, conversions)
  }
  const entry = by === 'Page' && viewsOf(seen) > 0 ? texts.page(session.entry) : undefined
  if (entry !== undefined) addEntry(countsOf(entry), seen)
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
