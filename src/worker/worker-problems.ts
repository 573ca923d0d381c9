import type { Member } from '../../cluster/members/view.ts'
import type { Member as WireMember } from '../../proto/gen/sluice/v1/Member.ts'
import type { Steadiness } from '../core/logging/outages.ts'
import type { SpillReport } from '../ingest/spill/spill-report.ts'
import type { ReplicaSummary } from '../replication/replica-summary.ts'

/** State of the cluster at one moment, as this worker knows it. */
export type Findings = {
  readonly members: readonly Member[]
  readonly self: string
  /** The status lines of the workers that answered, by member id. */
  readonly lines: ReadonlyMap<string, WireMember>
  /** Errors of the other workers that did not answer, by member id. */
  readonly silent: ReadonlyMap<string, string>
  /** Shards that no live worker holds; `undefined` when the database does not answer. */
  readonly unowned: number | undefined
  readonly deadLetters: number | undefined
  readonly membership: 'memory' | 'connected' | 'frozen'
  readonly redis: 'memory' | Steadiness | 'none'
  readonly spill: SpillReport | undefined
  /** Undefined without a copy, or when the database does not answer. */
  readonly copy:
    | Pick<ReplicaSummary, 'state' | 'problem' | 'isHeld' | 'gaps' | 'isFull'>
    | undefined
}

/** Problems for an operator to act on, one sentence each, the gravest first. Pure. */
export function problemsOf(findings: Findings): readonly string[] {
  return [
    ...problemsOfStores(findings),
    ...problemsOfMembers(findings),
    ...problemsOfSpill(findings),
    ...problemsOfEvents(findings),
    ...problemsOfCopy(findings),
  ]
}

function* problemsOfStores({ unowned, deadLetters, membership, redis, spill }: Findings) {
  if (deadLetters === undefined || unowned === undefined) {
    const events = spill === undefined ? 'events are refused' : 'events go to the spill'
    yield `Postgres does not answer this worker: ${events}, changes are refused.`
  }
  if (membership === 'frozen') {
    yield 'NATS does not answer this worker: nobody can join, leave or be drained.'
  }
  if (redis === 'down') {
    yield 'Redis does not answer this worker: decide goes on without the shared cache.'
  }
  if (redis === 'unsteady') {
    yield 'Redis fails this worker again and again: decide often goes on without the shared cache.'
  }
}

function* problemsOfMembers({ members, self, lines, silent, unowned }: Findings) {
  const workers = members.filter(({ role }) => role !== 'gateway')
  if (!members.some(({ id }) => id === self)) {
    yield `This worker (${self}) is not in the view: it owns nothing.`
  }
  if (!workers.some(({ state }) => state === 'active')) {
    yield 'No worker is active: shards have no owner, and changes are refused.'
  }
  for (const [id, why] of silent) {
    yield `Worker ${nameOf(members, id)} does not answer: ${why}`
  }
  for (const [id, { breaker, writer }] of lines) {
    if (breaker !== 'open') continue
    const why = writer?.last_error ?? ''
    const because = why === '' ? '' : `: ${why}`
    yield `Worker ${nameOf(members, id)} takes Postgres to be away${because}`
  }
  if (unowned !== undefined && unowned > 0) {
    yield `${counted(unowned, 'shard has', 'shards have')} no live owner.`
  }
  const versions = new Map<string, number>()
  for (const { version } of members) versions.set(version, (versions.get(version) ?? 0) + 1)
  if (versions.size > 1) {
    const shares = [...versions].sort().map(([version, count]) => `${version} (${count})`)
    yield `Members are of different versions: ${shares.join(', ')}.`
  }
}

function* problemsOfSpill({ spill, membership }: Findings) {
  if (spill === undefined) return
  const { messages, oldestAgeMs } = spill.log
  if (!spill.connected && membership !== 'frozen') {
    yield 'The spill does not answer this worker: events are refused when Postgres is away.'
  }
  if (spill.isFull) yield 'The spill is full: events are refused while Postgres is away.'
  if (messages > 0) {
    const age = `the oldest for ${Math.round(oldestAgeMs / 1_000)} s`
    const wait = counted(messages, 'message waits', 'messages wait')
    yield `${wait} in the spill, ${age}: see "sluice spill status".`
  }
  const { unreadableMessages } = spill.drainer
  if (unreadableMessages > 0) {
    const came = counted(unreadableMessages, 'message of the spill', 'messages of the spill')
    yield `${came} cannot be read by this release: start a worker of a newer one.`
  }
}

function* problemsOfEvents({ deadLetters }: Findings) {
  if (deadLetters === undefined || deadLetters === 0) return
  const kept = counted(deadLetters, 'event is', 'events are')
  yield `${kept} kept as dead letters: see "sluice deadletter list".`
}

function* problemsOfCopy({ copy }: Findings) {
  if (copy === undefined) return
  const { state, problem, isHeld, gaps, isFull } = copy
  if (isFull)
    yield 'The outbox of ClickHouse is full: captures wait in the spill, and are refused after it.'
  if (!isHeld) yield 'No worker keeps the copy of events in ClickHouse.'
  else if (problem !== '') {
    yield `The copy of events is not kept (${state}): ${problem}.`
  }
  if (gaps.length === 0) return
  const months = counted(gaps.length, 'month', 'months')
  yield `ClickHouse lacks events of ${months}: see "sluice events status".`
}

/** The id of a member, after its address where the view has one. */
function nameOf(members: readonly Member[], id: string): string {
  const address = members.find((member) => member.id === id)?.address
  return address === undefined ? id : `${address} (${id})`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
