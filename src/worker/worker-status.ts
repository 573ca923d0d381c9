/** Status of a worker and, through it, of the cluster, for operators. */
import type { MemberStore } from '../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../cluster/members/view.ts'
import type { ShardRow } from '../../cluster/shards/shard-store.ts'
import type { GetStatusResponse } from '../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Member as WireMember } from '../../proto/gen/sluice/v1/Member.ts'
import type { SpillStatus } from '../../proto/gen/sluice/v1/SpillStatus.ts'
import type { WriterStatus as WireWriter } from '../../proto/gen/sluice/v1/WriterStatus.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import { STATUS_DATABASE_MS } from '../core/limits/limits.ts'
import { createRateMeter } from '../core/metrics/rate-meter.ts'
import { countDeadLetters } from '../event-store/dead-letters/dead-letter-store.ts'
import { reasonForm } from '../events/warnings/warning-reasons.ts'
import type { WriterStatus } from '../ingest/writer-port.ts'
import type { ReplicaSummary } from '../replication/replica-summary.ts'
import { spillStatusMessage } from '../rpc/operator/spill-status.ts'
import { warnedMessage } from '../rpc/operator/warned-message.ts'
import { countWarned, type Warned } from '../store/projects/warned-store.ts'
import { type DroppedLately, droppedOfAll } from '../store/warnings/dropped-store.ts'
import type { Worker } from './types.ts'
import type { CallMetrics } from './worker-call-metrics.ts'
import { createDrains, type Drains } from './worker-drain.ts'
import { type Findings, problemsOf } from './worker-problems.ts'
import type { WorkerOperations } from './worker-services.ts'

/** Other members that one status calls at a time. */
export const STATUS_ASKS_MAX = 32
/** Time that the count of conditions that never match is kept: it reads all flags and cohorts. */
export const WARNED_KEPT_MS = 600_000

export type WorkerStatusDeps = {
  readonly worker: Pick<Worker, 'shards' | 'shardRows' | 'peers' | 'sql' | 'copy'> & {
    readonly projects: Pick<Worker['projects'], 'size'>
    readonly ingest: Pick<Worker['ingest'], 'spill'> & {
      readonly writer: Pick<Worker['ingest']['writer'], 'status'>
    }
  }
  readonly members: MemberStore
  /** This member as it joined. Its state is read from the view. */
  readonly self: () => Member
  readonly clusterName: string
  readonly redis: () => Findings['redis']
  readonly membership: () => Findings['membership']
  /** Decide questions answered since the start. */
  readonly decided?: () => number
  /** Refused keys since the start. */
  readonly refusedKeys: CallMetrics['refusedKeys']
  readonly clock: Clock
}

export type WorkerStatus = Omit<WorkerOperations, 'drain' | 'drainSelf'> &
  Drains & {
    /** Ends the measuring of rates. */
    close(): void
  }

export function createWorkerStatus(deps: WorkerStatusDeps): WorkerStatus {
  const { worker, members, self, clock } = deps
  const { shards, peers } = worker
  const writer = () => worker.ingest.writer.status()
  const events = createRateMeter(clock, () => writer().storedEvents)
  const decides = createRateMeter(clock, deps.decided ?? (() => 0))
  const rates = { events: () => events.perSecond(), decides: () => decides.perSecond() }
  const rowsOf = oneAtATime(clock, 'rows of shards', () => worker.shardRows())
  const deadLettersOf = oneAtATime(clock, 'dead letters', () => countDeadLetters(worker.sql))
  const droppedNow = oneAtATime(clock, 'dropped events', () => droppedOfAll(worker.sql))
  const copyNow = oneAtATime(clock, 'the copy', async () => await worker.copy?.summary())
  const warnedNow = oneAtATime(clock, 'conditions', () => countWarned(worker.sql), {
    keptMs: WARNED_KEPT_MS,
  })
  const describe = () => ownLine(deps, rates)
  const spill = () => spillStatusMessage(worker.ingest.spill(), writer().breaker)

  return {
    async status() {
      const view = members.view()
      const [answers, rows, deadLetters, dropped, copy, warned] = await Promise.all([
        askWorkers(deps, view, describe()),
        rowsOf(),
        deadLettersOf(),
        droppedNow(),
        copyNow(),
        warnedNow(),
      ])
      const own = describe()
      const counted = { rows, deadLetters, dropped, copy, warned }
      return statusMessage(deps, { view, answers, ...counted, own, spill: spill() })
    },
    describe: async () => describe(),
    spill: async () => spill(),
    ...createDrains({ members, shards, peers, self, clock }),
    close() {
      events.close()
      decides.close()
    },
  }
}

/** This worker's line of the status. */
function ownLine(
  { worker, members, self }: WorkerStatusDeps,
  rates: { readonly events: () => number; readonly decides: () => number },
): WireMember {
  const { id, address, role, state, version } = self()
  const view = members.view()
  const known = view.members.find((member) => member.id === id)
  const status = worker.ingest.writer.status()
  return {
    id,
    address,
    role,
    state: known?.state ?? state,
    shards: worker.shards.held().size,
    version,
    answered: true,
    writer: toWire(status),
    activations: worker.projects.size(),
    events_per_second: rates.events(),
    decides_per_second: rates.decides(),
    breaker: status.breaker.kind,
    view_version: view.version,
  }
}

/** The lines of all workers by id, and the reasons of those that did not answer. */
type WorkerAnswers = {
  readonly lines: ReadonlyMap<string, WireMember>
  readonly silent: ReadonlyMap<string, string>
}

/** Reads the lines of all workers of the view, STATUS_ASKS_MAX at a time. */
async function askWorkers(
  { worker, self }: WorkerStatusDeps,
  view: View,
  own: WireMember,
): Promise<WorkerAnswers> {
  const lines = new Map([[self().id, own]])
  const silent = new Map<string, string>()
  const queue = workersOf(view)
    .filter(({ id }) => id !== self().id)
    .values()
  const askNext = async (): Promise<void> => {
    for (const member of queue) {
      try {
        lines.set(member.id, await worker.peers.getMember(member))
      } catch (error) {
        silent.set(member.id, reasonOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: STATUS_ASKS_MAX }, askNext))
  return { lines, silent }
}

function statusMessage(
  { worker, self, clusterName, redis, membership, refusedKeys }: WorkerStatusDeps,
  found: {
    readonly view: View
    readonly answers: WorkerAnswers
    /** `undefined` when the database did not answer, as `deadLetters`. */
    readonly rows: readonly ShardRow[] | undefined
    readonly deadLetters: number | undefined
    readonly dropped: DroppedLately | undefined
    readonly copy: ReplicaSummary | undefined
    readonly warned: Warned | undefined
    readonly own: WireMember
    readonly spill: SpillStatus
  },
): GetStatusResponse {
  const { view, rows, deadLetters, own } = found
  const { lines, silent } = found.answers
  const findings: Findings = {
    members: view.members,
    self: self().id,
    lines,
    silent,
    unowned: rows === undefined ? undefined : unownedOf(rows, view.members),
    deadLetters,
    membership: membership(),
    redis: redis(),
    spill: worker.ingest.spill(),
    copy: found.copy,
  }
  const held = rows === undefined ? undefined : heldBy(rows)
  return {
    version: self().version,
    cluster_name: clusterName,
    members: inOrder(view.members).map((member) => lineOf(member, lines, held)),
    writer: own.writer ?? null,
    activations: own.activations ?? 0,
    dead_letters: deadLetters ?? -1,
    database: deadLetters === undefined ? 'down' : worker.ingest.writer.status().state,
    spill: found.spill,
    membership: findings.membership,
    redis: findings.redis,
    view_version: view.version,
    shards: (rows ?? []).map(({ shard, epoch, owner, released }) => {
      return { shard, epoch: String(epoch), owner, released }
    }),
    problems: [...problemsOf(findings)],
    dropped: (found.dropped?.rows ?? []).map(({ projectId, reason, count }) => {
      return { project_id: projectId, reason, effect: reasonForm(reason)?.effect ?? '', count }
    }),
    dropped_others: found.dropped?.others ?? 0,
    dropped_since: found.dropped?.since ?? '',
    refused_keys: refusedKeys(),
    ...warnedMessage(found.warned),
  }
}

/** The number of shards comes from the database, or from the worker itself without the database. */
function lineOf(
  { id, address, role, state, version, process }: Member,
  lines: ReadonlyMap<string, WireMember>,
  held: ReadonlyMap<string, number> | undefined,
): WireMember {
  const line = lines.get(id)
  const shards = held === undefined ? (line?.shards ?? 0) : (held.get(id) ?? 0)
  const { host = '', pid = 0, startedMs } = process ?? {}
  const started_at = startedMs === undefined ? '' : new Date(startedMs).toISOString()
  const place = { id, address, host, pid, started_at }
  return { answered: false, ...line, ...place, role, state, shards, version }
}

function heldBy(rows: readonly ShardRow[]): ReadonlyMap<string, number> {
  const held = new Map<string, number>()
  for (const { owner, released } of rows) {
    if (!released) held.set(owner, (held.get(owner) ?? 0) + 1)
  }
  return held
}

function unownedOf(rows: readonly ShardRow[], members: readonly Member[]): number {
  const workers = new Set(members.flatMap(({ id, role }) => (role === 'gateway' ? [] : [id])))
  return rows.filter(({ owner, released }) => released || !workers.has(owner)).length
}

/** Workers first, each role by its address. */
function inOrder(members: readonly Member[]): readonly Member[] {
  const key = ({ role, address, id }: Member) => [role === 'gateway' ? 1 : 0, address, id].join(' ')
  return [...members].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

function toWire(status: WriterStatus): WireWriter {
  return {
    queued_events: status.queuedEvents,
    queued_bytes: status.queuedBytes,
    stored_events: status.storedEvents,
    duplicate_events: status.duplicateEvents,
    dead_letter_events: status.deadLetterEvents,
    oldest_wait_ms: status.oldestWaitMs,
    last_error: status.lastError,
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'it failed.'
  if (error.code === 'deadline_exceeded') return 'no answer in time.'
  return error.code === 'unavailable' ? 'no connection.' : `${error.detail?.detail ?? error.code}`
}

/**
 * Makes one read at a time of a database that may hang. Callers that arrive meanwhile, or within
 * `keptMs` of its answer, share it. Resolves to `undefined` when the read fails or is late.
 */
function oneAtATime<T>(clock: Clock, what: string, read: () => Promise<T>, { keptMs = 0 } = {}) {
  let asked: Promise<T> | undefined
  let goodUntil = 0
  const ask = async (): Promise<T> => {
    try {
      const answer = await read()
      goodUntil = clock.monotonic() + keptMs
      return answer
    } finally {
      if (clock.monotonic() >= goodUntil) asked = undefined
    }
  }
  return async (): Promise<T | undefined> => {
    if (goodUntil > 0 && clock.monotonic() >= goodUntil) [asked, goodUntil] = [undefined, 0]
    asked ??= ask()
    try {
      return await withDeadline(clock, { ms: STATUS_DATABASE_MS, what }, asked)
    } catch {
      return undefined // The status says that the database does not answer.
    }
  }
}
