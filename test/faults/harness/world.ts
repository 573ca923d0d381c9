/** A cluster with projects and load; at the end every promise is checked. */
import { connect, type StreamState } from 'nats'
import type { Test } from 'tap'
import { clusterSubjects } from '../../../cluster/nats/subjects.ts'
import {
  type Cluster,
  type ClusterOptions,
  startCluster,
} from '../../support/servers/cluster-processes.ts'
import type { ClusterMember } from '../../support/servers/member-process.ts'
import { until } from '../../support/until.ts'
import {
  checkEvents,
  checkFlags,
  type EpochWatch,
  type EventCheck,
  type FlagCheck,
  sizeOf,
  watchEpochs,
} from './checks.ts'
import type { Target } from './client.ts'
import {
  type Figures,
  figuresOf,
  isSuccess,
  type Journal,
  type Kind,
  type Span,
} from './journal.ts'
import { type Load, type Project, type Rates, startLoad } from './load.ts'
import { watchMachine } from './machine.ts'
import { createProjects, meetKeys } from './projects.ts'

export type World = {
  readonly cluster: Cluster
  readonly load: Load
  readonly projects: readonly Project[]
  readonly epochs: EpochWatch
  /** Sends the load to these gateways from now on. */
  aim(gateways: readonly ClusterMember[]): void
  /** Runs `work` and resolves with the span of the load's time that it took. */
  during(work: () => Promise<void>): Promise<Span>
  figures(span: Span): Record<Kind, Figures>
  /** Waits until every kind of request succeeds at every targeted gateway. */
  recovered(): Promise<void>
  /** Waits until this many more events are sent, so that the load has met the fault. */
  met(events: number): Promise<void>
  /** Waits until nothing is in the spill. */
  spillIsEmpty(withinMs?: number): Promise<void>
  /** Stops the load, waits for the spill, and compares. */
  finish(options?: { readonly changeMs?: number }): Promise<Outcome>
}

export type Outcome = {
  readonly journal: Journal
  readonly events: EventCheck
  readonly flags: FlagCheck
  readonly epochs: readonly string[]
  /** Processes that ended by an unhandled fault. */
  readonly crashes: readonly string[]
}

export type WorldOptions = ClusterOptions & {
  readonly rates?: Partial<Rates>
  readonly projects?: number
  /** Time after which a client gives up; by default far longer than any fault. */
  readonly giveUpMs?: number
}

/** Rates that two busy cores can carry beside their other work. */
const RATES: Rates = { capture: 20, batch: 5, decide: 20, changes: 1, persons: 2 }
/** Enough that each of three workers almost certainly owns some. */
const PROJECTS = 12
const GIVE_UP_MS = 90_000
const SPILL_EMPTY_MS = 90_000
/** Twice the length of such a fault in the long form. */
const NATS_AWAY_MS_MAX = 120_000
/** Far beyond the promised second, so that only an answer that stays old fails a test. */
const NEWS_MS = 15_000

export async function startWorld(t: Test, options: WorldOptions): Promise<World> {
  const cluster = await startCluster(t, options)
  const projects = await createProjects(cluster, options.projects ?? PROJECTS)
  await meetKeys(cluster.gateways, projects)
  const rates = { ...RATES, ...options.rates }
  const machine = await watchMachine()
  const { standstills } = machine
  const targets = targetsOf(cluster.gateways)
  const load = startLoad(
    { projects, targets, spills: () => hasSpilled(cluster.nats.url), standstills },
    rates,
    { giveUpMs: options.giveUpMs ?? GIVE_UP_MS },
  )
  const epochs = watchEpochs(cluster.database.sql)
  let isFinished = false
  const stop = async () => {
    if (isFinished) return
    isFinished = true
    await Promise.all([load.stop(), epochs.stop(), machine.stop()])
  }
  const { journal, history } = load
  let aimed = cluster.gateways
  const recovered = async () => {
    const since = performance.now()
    const active = (['capture', 'batch', 'decide'] as const).filter((kind) => rates[kind] > 0)
    await until('requests of every kind succeed at every gateway', () =>
      active.every((kind) => aimed.every(({ name }) => succeeds(journal, kind, name, since))),
    )
    if (rates.changes > 0)
      await until('flags are changed', () => isChanged(journal, since, projects))
  }
  const world: World = {
    cluster,
    load,
    projects,
    epochs,
    aim: (gateways) => {
      aimed = gateways
      load.aim(targetsOf(gateways))
    },
    async during(work) {
      const from = performance.now()
      await work()
      return { from, to: performance.now() }
    },
    figures: (span) => ({
      capture: figuresOf(journal, 'capture', span),
      batch: figuresOf(journal, 'batch', span),
      decide: figuresOf(journal, 'decide', span),
      change: figuresOf(journal, 'change', span),
      person: figuresOf(journal, 'person', span),
    }),
    recovered,
    async met(events) {
      const before = sizeOf(journal.attempted)
      await until('events are sent', () => sizeOf(journal.attempted) >= before + events)
    },
    async spillIsEmpty(withinMs = SPILL_EMPTY_MS) {
      await cluster.waitFor('the spill is empty', isSpillEmpty, withinMs)
      // A worker's count may be some seconds old, so the stream itself is asked, too.
      await until('its stream is empty', () => hasNoMessages(cluster.nats.url), { withinMs })
    },
    async finish({ changeMs = NEWS_MS } = {}) {
      await stop()
      await world.spillIsEmpty()
      const { sql } = cluster.database
      const events = await checkEvents(sql, journal)
      const flags = await checkFlags(sql, history, projects, changeMs)
      return { journal, events, flags, epochs: epochs.problems, crashes: crashesOf(cluster) }
    },
  }
  t.teardown(stop)
  await recovered()
  return world
}

/** The promises that no fault excuses. */
export function assertKept(t: Test, outcome: Outcome, { mayShed = false } = {}): void {
  const { journal, events, flags, epochs, crashes } = outcome
  t.strictSame(crashes, [], 'no process ended of a fault')
  const { lost, ghosts, doubled, dead } = events
  t.strictSame(
    { lost, ghosts, doubled, dead },
    { lost: 0, ghosts: 0, doubled: 0, dead: 0 },
    'what was acked is stored once, and nothing else is',
  )
  t.ok(events.acked > 0, 'something was acked')
  t.strictSame(firstOf(flags.problems), [], 'flags have one writer, and keep what was acked')
  const { invented, atOnce, late, examples } = flags
  t.strictSame(
    { invented, atOnce, late, examples: firstOf(examples) },
    { invented: 0, atOnce: 0, late: 0, examples: [] },
    'a decide shows what its gateway has acked',
  )
  t.strictSame(firstOf(epochs), [], 'epochs rise, and each has one owner')
  t.strictSame(
    firstOf(journal.faults),
    [],
    'no answer but success and a failure that may be retried',
  )
  const gaveUp = journal.operations.filter(({ outcome }) => outcome === 'gave_up')
  const lasting = gaveUp.filter(({ kind }) => kind !== 'decide') // Decides are not repeated.
  t.strictSame(lasting.length, 0, 'every client got through in the end')
  if (!mayShed) t.equal(journal.shed, 0, 'the load was made')
}

/** First problems, enough for a message. */
function firstOf(problems: readonly string[]): readonly string[] {
  return problems.length > 10
    ? [...problems.slice(0, 10), `and more: ${problems.length}`]
    : problems
}

/** Log message of a crash, from `src/cli/service/service.ts`. */
const CRASH = 'unhandled fault'

function crashesOf({ workers, gateways }: Cluster): string[] {
  return [...workers, ...gateways].flatMap(({ name, lines }) =>
    lines
      .filter(({ message }) => message === CRASH)
      .map(({ time, kind, error, statement }) => {
        return `${name}: ${JSON.stringify({ time, kind, statement, error })}`
      }),
  )
}

function targetsOf(gateways: readonly ClusterMember[]): Target[] {
  return gateways.map(({ name, url }) => ({ name, url }))
}

/** Searches newest first, because a long run has many attempts and this is called often. */
function succeeds({ attempts }: Journal, kind: Kind, gateway: string, since: number): boolean {
  for (let index = attempts.length - 1; index >= 0; index -= 1) {
    const each = attempts[index]
    if (each === undefined || each.endedAt < since) return false
    const isAsked = each.kind === kind && each.gateway === gateway
    if (isAsked && each.sentAt > since && isSuccess(each.status)) return true
  }
  return false
}

/** Whether every project's flag was changed, so that every shard under load has a working owner. */
function isChanged(journal: Journal, since: number, projects: readonly Project[]): boolean {
  const changed = new Set<number>()
  for (let index = journal.operations.length - 1; index >= 0; index -= 1) {
    const each = journal.operations[index]
    if (each === undefined || each.endedAt < since) break
    if (each.kind === 'change' && each.outcome === 'done') changed.add(each.project)
  }
  return changed.size === projects.length
}

export function isSpillEmpty({ spill }: Awaited<ReturnType<Cluster['status']>>): boolean {
  if (spill === null) return false
  return spill.connected && Number(spill.messages) === 0 && spill.breaker === 'closed'
}

async function hasNoMessages(url: string): Promise<boolean> {
  return (await askSpill(url)).messages === 0
}

/**
 * A machine that is busy enough makes the database look slow, which is no fault of this test. The
 * stream knows it, and not the workers: one may have ended since.
 */
async function hasSpilled(url: string): Promise<boolean> {
  let last = 0
  const ask = async () => {
    last = (await askSpill(url)).last_seq
    return true
  }
  await until('NATS says whether anything was spilled', ask, { withinMs: NATS_AWAY_MS_MAX })
  return last > 0
}

async function askSpill(url: string): Promise<StreamState> {
  const connection = await connect({ servers: url })
  try {
    const manager = await connection.jetstreamManager()
    const { state } = await manager.streams.info(clusterSubjects('sluice').spillStream)
    return state
  } finally {
    await connection.close()
  }
}
