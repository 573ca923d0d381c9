/** Status and comparisons of the events in ClickHouse as lines for people. */
import { InvalidArgumentError } from 'commander'
import type { CopyComparison__Output } from '../../../proto/gen/sluice/v1/CopyComparison.ts'
import type { CopyStatus__Output } from '../../../proto/gen/sluice/v1/CopyStatus.ts'

const LINES_MAX = 20
const MONTH = /^(?:old|far|persons|y\d{4}m(?:0[1-9]|1[0-2]))$/

export function readableStatus(status: CopyStatus__Output): string {
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
    ...homeOf(status),
    `waiting  ${waiting_flushes === 0 ? 'nothing' : `${waiting}, the oldest for ${lag} s`}`,
    ...(status.parts > 0
      ? [`parts    ${status.parts}, at most ${status.parts_most} in a month`]
      : []),
    ...(status.columns.length > 0 ? [`columns  ${status.columns.join(', ')}`] : []),
    ...readableGaps(status.gaps),
    ...(status.gaps.some(({ asked }) => !asked)
      ? ['         "sluice events move" copies what is lacking']
      : []),
  ].join('\n')
}

function homeOf({ home, months, ledger_months: moved, full }: CopyStatus__Output) {
  const left = months.filter((month) => !moved.includes(month))
  const moving = home === 'clickhouse' && left.length > 0
  return [
    `home     ${home === 'clickhouse' ? 'ClickHouse' : 'Postgres: "sluice events move" moves the events'}`,
    ...(moving
      ? [`moving   ${left.map(monthText).join(', ')}: run "sluice events move" again`]
      : []),
    ...(full ? ['full     the outbox takes no more: captures wait in the spill'] : []),
  ]
}

export function readableGaps(gaps: CopyStatus__Output['gaps']): readonly string[] {
  return gaps.map(({ month, reason, asked }) => {
    return `lacking  ${monthText(month)}: ${reason}${asked ? ', being copied' : ''}`
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

/** `2026-03`, or as the store names a month. */
export function appendMonth(text: string, months: readonly string[] = []): readonly string[] {
  const month = text.replace(/^(\d{4})-(\d{2})$/, 'y$1m$2')
  if (!MONTH.test(month)) throw new InvalidArgumentError('not a month such as 2026-03.')
  return [...months, month]
}
