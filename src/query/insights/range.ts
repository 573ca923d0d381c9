/** The range and the buckets of a question. */
import { err, ok, type Result } from '../../core/result.ts'
import type { Zone } from '../../core/time/zone.ts'
import type { EventSelection } from '../../event-store/event-selection.ts'
import type { Asked, QuestionError } from './question.ts'
import type { InsightReader } from './reader.ts'
import { rangeOf, today } from './time/date-range.ts'
import { type Grid, gridOf, type Interval, type Range } from './time/grid.ts'

/** Buckets of a range; more are 400. */
const INSIGHT_BUCKETS_MAX = 1_000

/**
 * The range that a question asks for. `all` begins with the local day of the first event of any of
 * the selections.
 */
export async function readRangeOf(
  reader: InsightReader,
  { range: { from, to }, zone }: Asked,
  selections: readonly EventSelection[],
): Promise<Result<Range, QuestionError>> {
  if (from !== 'all') return inOrder(rangeOf(from, to, zone))
  const { untilMs } = rangeOf(to, to, zone)
  let first: number | undefined
  for (const selection of selections) {
    const ms = await reader.events.firstEventMs(selection)
    if (ms !== undefined && ms < (first ?? untilMs)) first = ms
  }
  return inOrder(rangeOf(first === undefined ? to : today(zone, first), to, zone))
}

function inOrder(range: Range): Result<Range, QuestionError> {
  return range.untilMs < range.fromMs ? err(INVERTED) : ok(range)
}

/** The buckets of a range, when there are not too many. */
export function boundedGrid(
  range: Range,
  interval: Interval,
  zone: Zone,
): Result<Grid, QuestionError> {
  const grid = gridOf(range, interval, zone, INSIGHT_BUCKETS_MAX)
  return grid === undefined ? err(TOO_MANY) : ok(grid)
}

const TOO_MANY: QuestionError = {
  code: 'invalid_input',
  detail: `The range has more than ${INSIGHT_BUCKETS_MAX} buckets: ask for a longer interval.`,
  attr: 'interval',
}
const INVERTED: QuestionError = {
  code: 'invalid_input',
  detail: 'The range ends before it begins.',
  attr: 'dateRange.date_to',
}
