/** The copy of the events as lines for people. */
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'

const LINES_MAX = 20

export function readableCopy(status: CopyStatus__Output): string {
  const { state, problem, holder, blocks, waiting_events, waiting_flushes, waiting_bytes } = status
  const lag = (status.lag_ms / 1_000).toFixed(1)
  const waiting =
    waiting_events === 0
      ? `removals of events, ${waiting_flushes} of them`
      : `${waiting_events} events in ${waiting_flushes} flushes (${waiting_bytes} bytes)`
  return [
    `state    ${state}${problem === '' ? '' : `: ${problem}`}`,
    `kept by  ${holder === '' ? 'no worker' : holder}`,
    `blocks   ${blocks}`,
    `asked    ${status.reads === 'clickhouse' ? 'ClickHouse' : 'Postgres'}`,
    ...keptIn(status),
    `waiting  ${waiting_flushes === 0 ? 'nothing' : `${waiting}, the oldest for ${lag} s`}`,
    ...(status.parts > 0
      ? [`parts    ${status.parts}, at most ${status.parts_most} in a month`]
      : []),
    ...(status.columns.length > 0 ? [`columns  ${status.columns.join(', ')}`] : []),
    ...readableGaps(status.gaps),
    ...(status.gaps.some(({ asked }) => !asked)
      ? ['         "sluice events fill" brings what is lacking']
      : []),
  ].join('\n')
}

/** Nothing while Postgres has all events, which is usual. */
function keptIn({ keeps, ledger_months: ledger, full }: CopyStatus__Output): readonly string[] {
  const lines: string[] = []
  if (keeps === 'clickhouse') lines.push('events   in ClickHouse alone')
  if (ledger.length > 0) lines.push(`alone    ${ledger.map(monthText).join(', ')}`)
  if (full) lines.push('full     the outbox takes no more: captures wait in the spill')
  return lines
}

export function readableGaps(gaps: CopyStatus__Output['gaps']): readonly string[] {
  return gaps.map(({ month, reason, asked }) => {
    return `lacking  ${monthText(month)}: ${reason}${asked ? ', being filled' : ''}`
  })
}

export function readableComparison(month: string, compared: CopyComparison__Output): string {
  const { events, differences, missing_blocks } = compared
  const name = monthText(month)
  const what = month === 'persons' ? 'with a person' : 'events'
  if (differences.length === 0) return `${name}  ${events} ${what}, the same in both`
  if (month === 'persons') {
    const projects = differences.slice(0, LINES_MAX).map(({ project_id, wanted, found }) => {
      return `  project ${project_id}: ClickHouse has ${found} of ${wanted}`
    })
    return [`${name}  ${events} ${what}, ${differences.length} projects differ`, ...projects].join(
      '\n',
    )
  }
  const days = differences.slice(0, LINES_MAX).map(({ project_id, day, wanted, found }) => {
    const how = wanted === found ? 'others than' : `${found} of`
    return `  project ${project_id}, ${day}: ClickHouse has ${how} ${wanted} events`
  })
  const more = differences.length - days.length
  return [
    `${name}  ${events} events, of which ${differences.length} days differ`,
    ...days,
    ...(more > 0 ? [`  and ${more} days more`] : []),
    ...(missing_blocks.length > 0 ? [`  missing blocks: ${ranges(missing_blocks)}`] : []),
  ].join('\n')
}

export function monthText(month: string): string {
  if (month === 'persons') return 'distinct ids'
  if (month === 'old') return 'before 2000'
  return month === 'far' ? 'from 2100' : month.replace(/^y(\d{4})m(\d{2})$/, '$1-$2')
}

/** `1-3, 7`. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  const texts = found.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
  return texts.length <= LINES_MAX ? texts.join(', ') : `${texts.slice(0, LINES_MAX).join(', ')}, …`
}
