/**
 * Measures a server that gets more captures than it can store: how many it still stores, how
 * quickly it refuses the others, and how decides and management calls fare beside them.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { Log } from '../../src/core/log.ts'
import { settledCount } from '../load/conservation.ts'
import type { LoadModel, PhaseResult } from '../load/load-run.ts'
import { withDatabase } from '../load/machine/database.ts'
import { createLoad, prepare } from '../load/machine/prepare.ts'
import { watchGroups } from '../load/machine/process-usage.ts'
import type { Product } from '../load/machine/product.ts'
import type { BenchPlan, SimpleWorkload } from '../load/plan/plan.ts'
import { openReadBack } from '../load/read-back.ts'
import { WORKLOADS } from '../load/single-run.ts'
import { addCounts, type Counts, emptyCounts } from '../load/tally.ts'
import type { RequestSource } from '../load/workload/request-source.ts'
import { createSource } from '../load/workload/workload-source.ts'
import type { ClickHouseFault, ClickHouseRelay } from './clickhouse-relay.ts'
import { servedAsBefore, spanOf } from './spans.ts'

const QUICK = 'drop function bench_wait cascade'

/** Options of a bench; the trouble is active during the floods. */
export type OverloadOptions = Trouble & {
  /** Connections that send captures. */
  readonly connections: number
  /** Multiples of the peak rate: one flood for each. */
  readonly times: readonly number[]
  /** Duration of each flood. */
  readonly seconds: number
}

/** Milliseconds. */
export type Waits = { readonly p50: number; readonly p95: number; readonly p99: number }

/** One load of captures with decides and management calls beside it. */
export type Load = {
  readonly name: string
  readonly offeredPerS: number
  readonly storedPerS: number
  readonly stored: Waits
  readonly refusedPerS: number
  readonly refused: Waits
  readonly refusedWithoutRetryAfter: number
  /** Arrivals a second that found no free connection until the end. */
  readonly unsentPerS: number
  readonly errors: number
  readonly decides: Waits & { readonly lost: number }
  readonly management: Waits & { readonly lost: number }
  readonly memoryMb: Readonly<Record<string, number>>
}

export type OverloadReport = {
  readonly peakPerS: number
  readonly loads: readonly Load[]
  /** Seconds after each flood until captures are served as before; undefined: not seen. */
  readonly recoveryS: readonly (number | undefined)[]
  readonly accepted: number
  /** Accepted events that are not stored. */
  readonly lost: number
}

/** Decides a second beside the captures. */
const DECIDES_PER_S = 40
const MANAGEMENT_PER_S = 10
/** Few enough that each is used before the server closes it as idle. */
const BESIDE_CONNECTIONS = 40
const CALM_SHARE = 0.3
/** Longest duration of the phases before and after a flood. */
const CALM_S_MAX = 10
const DRAIN_MS = 60_000

const { pages: PAGES, cold: COLD, flag: FLAG } = WORKLOADS

type Deps = { readonly clock: Clock; readonly log: Log }

/** @throws {AppError} when the server cannot be reached. */
export async function runOverload(
  deps: Deps,
  product: Product,
  { connections, times, seconds, ...trouble }: OverloadOptions,
): Promise<OverloadReport> {
  const eventName = `sluice_bench_${randomBytes(6).toString('hex')}`
  const plan = planOf(product, PAGES, connections)
  const calmMs = Math.min(CALM_S_MAX, seconds) * 1_000
  for (const workload of [PAGES, COLD, FLAG]) await prepare(deps, { ...plan, workload })
  const counts = emptyCounts()
  const captures = async (model: LoadModel, durationMs: number) => {
    const source = await createSource(plan, { nonce: randomBytes(6).toString('hex'), eventName })
    const phase = await phaseOf(deps, plan, source, model, durationMs)
    addCounts(counts, phase.tally.counts)
    return phase
  }
  const [decideSource, managementSource] = await Promise.all([
    besideSource(product, COLD),
    besideSource(product, FLAG),
  ])
  await captures({ kind: 'closed' }, calmMs)
  const best = await captures({ kind: 'closed' }, calmMs)
  const peakPerS = best.tally.acceptedInPhase / (best.durationMs / 1_000)
  deps.log.info('peak found', { perS: Math.round(peakPerS), connections })
  const loaded = async (name: string, ratePerS: number, durationMs: number) => {
    const model = { kind: 'open', ratePerS, arrivals: 'poisson' } as const
    const usage = watchGroups(deps.clock, product.groups)
    const [flood, decides, management] = await Promise.all([
      captures(model, durationMs),
      beside(deps, product, decideSource, DECIDES_PER_S, durationMs),
      beside(deps, product, managementSource, MANAGEMENT_PER_S, durationMs),
    ])
    const load = loadOf(name, { flood, decides, management }, await usage.stop())
    deps.log.info('load done', { name, storedPerS: Math.round(load.storedPerS) })
    return { load, flood }
  }
  const calm = await loaded('calm', CALM_SHARE * peakPerS, calmMs)
  const usual = spanOf(calm.flood.seconds)
  const loads = [calm.load]
  const recoveryS: (number | undefined)[] = []
  for (const factor of times) {
    const end = await startTrouble(product.databaseUrl, trouble)
    const flooding = loaded(`${factor} times`, factor * peakPerS, seconds * 1_000)
    loads.push((await flooding.finally(end)).load)
    const after = await loaded('after', CALM_SHARE * peakPerS, calmMs)
    recoveryS.push(servedAsBefore(after.flood.seconds, usual))
  }
  const stored = await storedEvents(deps, plan, eventName, counts)
  return {
    peakPerS,
    loads,
    recoveryS,
    accepted: counts.accepted,
    lost: Math.max(0, counts.accepted - stored),
  }
}

function planOf(product: Product, workload: SimpleWorkload, connections: number): BenchPlan {
  return {
    workload,
    connections,
    url: product.url,
    projects: product.projects,
    databaseUrl: product.databaseUrl,
    groups: product.groups,
    model: { kind: 'closed' },
    warmupMs: 0,
    durationMs: 0,
    runs: 1,
    timeoutMs: 15_000,
    backlogMax: 100_000,
    distinctIds: Math.min(20_000, 100 * connections),
    zipfExponent: undefined,
    seed: 1,
    expectedIntervalMs: undefined,
    thresholds: [],
    readBack: true,
    drainMs: 0,
    settings: {},
  }
}

async function phaseOf(
  deps: Deps,
  plan: BenchPlan,
  source: RequestSource,
  model: LoadModel,
  durationMs: number,
): Promise<PhaseResult> {
  const load = createLoad(deps, plan, source, model, 1)
  await load.connect()
  try {
    return await load.phase({ durationMs })
  } finally {
    load.close()
  }
}

function besideSource(product: Product, workload: SimpleWorkload): Promise<RequestSource> {
  const nonce = randomBytes(6).toString('hex')
  return createSource(planOf(product, workload, BESIDE_CONNECTIONS), { nonce, eventName: '' })
}

function beside(
  deps: Deps,
  product: Product,
  source: RequestSource,
  ratePerS: number,
  durationMs: number,
): Promise<PhaseResult> {
  const plan = planOf(product, PAGES, BESIDE_CONNECTIONS)
  return phaseOf(deps, plan, source, { kind: 'open', ratePerS, arrivals: 'poisson' }, durationMs)
}

function loadOf(
  name: string,
  phases: Record<'flood' | 'decides' | 'management', PhaseResult>,
  usage: readonly { readonly name: string; readonly rssMbPeak: number }[],
): Load {
  const { tally, durationMs, open } = phases.flood
  const perS = (count: number) => count / (durationMs / 1_000)
  return {
    name,
    offeredPerS: perS(open?.arrivals ?? 0),
    storedPerS: perS(tally.acceptedInPhase),
    stored: waitsOf(tally.service),
    refusedPerS: perS(tally.counts.shed),
    refused: waitsOf(tally.shed),
    refusedWithoutRetryAfter: tally.shedWithoutRetryAfter,
    unsentPerS: perS(open?.dropped ?? 0),
    errors: errorsOf(tally.counts),
    decides: servedOf(phases.decides),
    management: servedOf(phases.management),
    memoryMb: Object.fromEntries(usage.map((group) => [group.name, Math.round(group.rssMbPeak)])),
  }
}

function waitsOf(histogram: PhaseResult['tally']['service']): Waits {
  const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1_000
  return { p50: at(50), p95: at(95), p99: at(99) }
}

function servedOf({ tally }: PhaseResult): Waits & { lost: number } {
  return { ...waitsOf(tally.response), lost: errorsOf(tally.counts) + tally.counts.shed }
}

function errorsOf(counts: Counts): number {
  const { refused, failed, invalid, timeout, reset, protocol } = counts
  return refused + failed + invalid + timeout + reset + protocol
}

async function storedEvents(
  { clock, log }: Deps,
  plan: BenchPlan,
  eventName: string,
  { accepted }: Counts,
): Promise<number> {
  const found = await openReadBack(plan, [eventName], log)
  if (found === undefined) throw new AppError('internal', 'the plan has a database')
  try {
    return await settledCount({ clock, ...found }, { accepted, deadlineMs: DRAIN_MS })
  } finally {
    await found.close()
  }
}

/** Slows the measured server down: busy processors, a slow database, a ClickHouse that fails. */
type Trouble = {
  /** Processes that keep a processor busy. */
  readonly busy: number
  /** Milliseconds by which each flush takes longer in Postgres. */
  readonly flushMs: number
  /** Fault of ClickHouse, where the product has one. */
  readonly clickhouse?:
    | { readonly relay: ClickHouseRelay; readonly fault: ClickHouseFault }
    | undefined
}

/** @returns a function that ends it. */
async function startTrouble(
  databaseUrl: string,
  { busy, flushMs, clickhouse }: Trouble,
): Promise<() => Promise<void>> {
  const processes = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' }),
  )
  if (flushMs > 0) await run(databaseUrl, SLOW(flushMs))
  clickhouse?.relay.set(clickhouse.fault)
  return async () => {
    clickhouse?.relay.set(undefined)
    for (const child of processes) child.kill('SIGKILL')
    if (flushMs > 0) await run(databaseUrl, QUICK)
  }
}

const SLOW = (ms: number) => `
  create function bench_wait() returns trigger language plpgsql
    as 'begin perform pg_sleep(${ms / 1_000}); return null; end';
  create trigger bench_wait after insert on events for each statement execute function bench_wait()`

async function run(databaseUrl: string, statements: string): Promise<void> {
  await withDatabase(databaseUrl, async (sql) => {
    await sql.unsafe(statements)
  })
}
