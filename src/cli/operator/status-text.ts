/** The state of a cluster as text for a terminal. */
import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Member__Output } from '../../../proto/gen/sluice/v1/Member.ts'
import type { SpillStatus__Output } from '../../../proto/gen/sluice/v1/SpillStatus.ts'

type Status = GetStatusResponse__Output

/** Lines of `sluice status`: members, stores, and at the end the problems to act on. Pure. */
export function readableStatus(status: GetStatusResponse__Output): string {
  const { members, problems } = status
  const lines = [
    `sluice ${status.version}, cluster ${status.cluster_name}, view ${status.view_version}`,
    '',
    ...aligned([HEADINGS, ...members.map(cellsOf), totalsOf(status)], HEADINGS),
    '',
    ...described(factsOf(status)),
    '',
    ...droppedLines(status),
  ]
  if (problems.length === 0) lines.push('No problems.')
  else lines.push(`PROBLEMS: ${problems.length}`, ...problems.map((problem) => `  - ${problem}`))
  return lines.map(visible).join('\n')
}

/** Counts of dropped, refused and changed events. */
function droppedLines({ dropped, dropped_others: others, dropped_since: since }: Status): string[] {
  if (since === '') return ['Dropped events: unknown, the database does not answer.', '']
  if (dropped.length === 0) return [`No event was dropped since ${since}.`, '']
  const rows = dropped.map(({ project_id: id, reason, effect, count }) => [
    id === 0 ? 'none' : String(id),
    reason,
    effect,
    String(count),
  ])
  const more = others === 0 ? [] : [`and ${others} of further projects and reasons`]
  return [
    `Events dropped, refused or changed since ${since}:`,
    ...aligned([DROPPED_HEADINGS, ...rows], DROPPED_HEADINGS),
    ...more,
    '',
  ]
}

const DROPPED_HEADINGS = ['PROJECT', 'REASON', 'EFFECT', 'EVENTS']

const HEADINGS = [
  'ADDRESS',
  'ROLE',
  'STATE',
  'SHARDS',
  'EVENTS/S',
  'DECIDES/S',
  'QUEUED',
  'BREAKER',
  'PROCESS',
  'STARTED',
  'VERSION',
  'ID',
]
/** Headings of the columns with figures. */
const RIGHT = new Set(['SHARDS', 'EVENTS/S', 'DECIDES/S', 'QUEUED', 'PROJECT', 'EVENTS'])
const NONE = '-'

function cellsOf(member: Member__Output): readonly string[] {
  const { address, role, state, version, id } = member
  const named = (figures: readonly string[]) => [
    address,
    role,
    state,
    ...figures,
    processOf(member),
    startOf(member),
    version,
    id,
  ]
  if (role === 'gateway') return named([NONE, NONE, NONE, NONE, NONE])
  const shards = String(member.shards)
  // It may be healthy, but unreachable for the worker that was asked.
  if (!member.answered) return named([shards, '?', '?', '?', 'no answer'])
  return named([
    shards,
    rate(member.events_per_second),
    rate(member.decides_per_second),
    String(member.writer?.queued_events ?? 0),
    member.breaker,
  ])
}

function totalsOf({ members }: GetStatusResponse__Output): readonly string[] {
  const sum = (of: (member: Member__Output) => number) =>
    members.reduce((total, member) => total + of(member), 0)
  return [
    'together',
    '',
    '',
    String(sum(({ shards }) => shards)),
    rate(sum((member) => member.events_per_second)),
    rate(sum((member) => member.decides_per_second)),
    String(sum(({ writer }) => writer?.queued_events ?? 0)),
    '',
    '',
    '',
    '',
    '',
  ]
}

/** Identifies members that share an address. */
function processOf({ host, pid }: Member__Output): string {
  return host === '' ? NONE : `${pid}@${host}`
}

/** UTC, to the second. */
function startOf({ started_at: at }: Member__Output): string {
  return at === '' ? NONE : `${at.slice(0, 19)}Z`
}

function rate(perSecond: number): string {
  return perSecond === 0 ? '0' : perSecond.toFixed(perSecond < 100 ? 1 : 0)
}

const MEMBERSHIP: Readonly<Record<string, string>> = {
  memory: 'this process alone (NATS_URL is not set)',
  connected: 'NATS answers',
  frozen: 'frozen: NATS does not answer, nobody joins or leaves',
}

const REDIS: Readonly<Record<string, string>> = {
  memory: 'none, the cache is in memory (REDIS_URL is not set)',
  none: 'none (REDIS_URL is not set)',
  up: 'answered when it was last used',
  unsteady: 'answers, and failed several times within a minute',
  down: 'down: decide goes on without it',
}

type Fact = readonly [name: string, text: string]

function factsOf(status: GetStatusResponse__Output): readonly Fact[] {
  const { writer, dead_letters: dead } = status
  return [
    [
      'Postgres',
      status.database === 'down' ? 'does not answer' : `answers (writer ${status.database})`,
    ],
    ['membership', MEMBERSHIP[status.membership] ?? status.membership],
    ['Redis', REDIS[status.redis] ?? status.redis],
    ['spill', spillText(status.spill)],
    ['dead letters', dead < 0 ? 'unknown' : String(dead)],
    ...refusedText(status.refused_keys),
    ...warnedText('flags', status.warned_flags, ({ key }) => key),
    ...warnedText('cohorts', status.warned_cohorts, ({ id, name }) => name || String(id)),
    ...(writer === null
      ? []
      : [
          [
            'this worker',
            `${writer.stored_events} events stored since its start, ` +
              `${writer.duplicate_events} known already, ${writer.dead_letter_events} dead; ` +
              `projects active: ${status.activations}`,
          ] as const,
        ]),
    ...(writer === null || writer.last_error === ''
      ? []
      : [['last error', writer.last_error] as const]),
  ]
}

/** Nothing of a worker of an older release. */
function refusedText(refused: GetStatusResponse__Output['refused_keys']): readonly Fact[] {
  if (refused === null || refused === undefined) return []
  const { project, personal, operator } = refused
  const text = `${project} of projects, ${personal} personal, ${operator} operator tokens`
  return [['keys refused', `${text} (this worker, since its start)`]]
}

/** Nothing of a worker of an older release. */
function warnedText<Item extends { readonly project_id: number }>(
  of: string,
  warned: { readonly count: number; readonly first: readonly Item[] } | null | undefined,
  nameOf: (item: Item) => string,
): readonly Fact[] {
  if (warned === null || warned === undefined) return []
  const { count, first } = warned
  if (count === 0) return [[of, 'none has a condition that nothing can meet']]
  const named = first.map((each) => `${nameOf(each)} of project ${each.project_id}`)
  const more = count > first.length ? [`${count - first.length} more`] : []
  const text = `${count} with a condition that nothing can meet: ${[...named, ...more].join(', ')}`
  return [[of, text]]
}

function spillText(spill: SpillStatus__Output | null): string {
  if (spill === null || !spill.configured) return 'none (NATS_URL is not set)'
  const { connected, messages, bytes, bytes_max: bytesMax, oldest_age_ms: oldestMs } = spill
  const share = bytesMax === 0 ? 0 : (100 * bytes) / bytesMax
  const full = `${messages} messages, ${share.toFixed(1)} % full, oldest ${Math.round(oldestMs / 1_000)} s`
  const again = spill.redelivered_messages
  const more = again === 0 ? '' : `; ${again} came more than once (this worker, since its start)`
  return `${messages === 0 ? 'empty' : full}${connected ? '' : ' when NATS last answered'}${more}`
}

function described(facts: readonly Fact[]): readonly string[] {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, text]) => `${name.padEnd(width)}  ${text}`)
}

function aligned(
  rows: readonly (readonly string[])[],
  headings: readonly string[],
): readonly string[] {
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  )
  return rows.map((cells) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return RIGHT.has(headings[column] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Text from others may hold control characters of a terminal. */
function visible(line: string): string {
  return line.replace(/\p{Cc}/gu, ' ')
}
