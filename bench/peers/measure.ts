/** Measures one side of a comparison for one round. */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { ConnectionTarget } from '../load/connection.ts'
import { saturation, watchGenerator } from '../load/generator-health.ts'
import { LoadRun } from '../load/load-run.ts'
import { type ProcessGroup, watchGroups } from '../load/machine/process-usage.ts'
import { percentilesOf } from '../load/report/report.ts'
import { addCounts, type Counts, emptyCounts } from '../load/tally.ts'
import { createPrng } from '../load/workload/prng.ts'
import type { RequestSource } from '../load/workload/request-source.ts'
import { type Session, untilAborted } from './session.ts'
import type { RoundFigures } from './table.ts'

/** One side of a comparison: its address, its requests and its processes. */
export type Side = {
  readonly name: string
  readonly target: ConnectionTarget
  readonly source: RequestSource
  readonly groups: readonly ProcessGroup[]
  /** All requests so far, warm-ups included; the server's own count must match. */
  readonly total: Counts
}

export function createSide(name: string, side: Omit<Side, 'name' | 'total'>): Side {
  return { name, ...side, total: emptyCounts() }
}

export function targetOf(url: string): ConnectionTarget {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

const TIMEOUT_MS = 10_000
const PRIME_MS_MAX = 600_000

function createLoad(clock: Clock, side: Side, connections: number): LoadRun {
  return new LoadRun(
    // A closed model does not use it.
    { clock, prng: createPrng(1), source: side.source },
    {
      target: side.target,
      connections,
      model: { kind: 'closed' },
      timeoutMs: TIMEOUT_MS,
      backlogMax: 1,
    },
  )
}

/** Sends each request of the source's list once. @throws {AppError} when one is not accepted. */
export async function prime(
  { clock, options, signal }: Session,
  side: Side,
  requests: number,
): Promise<void> {
  const load = createLoad(clock, side, options.connections)
  await load.connect()
  try {
    const limit = { durationMs: PRIME_MS_MAX, requestsMax: requests }
    const { tally } = await untilAborted(signal, load.phase(limit))
    if (tally.counts.accepted < requests) {
      const text = `${side.name}: only ${tally.counts.accepted} of ${requests} requests accepted`
      throw new AppError('unavailable', text)
    }
  } finally {
    load.close()
  }
}

/** Warms one side up and measures it. */
export async function measureRound({ clock, options }: Session, side: Side): Promise<RoundFigures> {
  const load = createLoad(clock, side, options.connections)
  await load.connect()
  try {
    const warmup = await load.phase({ durationMs: options.warmup * 1000 })
    addCounts(side.total, warmup.tally.counts)
    const generator = watchGenerator()
    const processes = watchGroups(clock, side.groups)
    const { tally, durationMs } = await load.phase({ durationMs: options.seconds * 1000 })
    const health = generator.stop()
    const usage = await processes.stop()
    addCounts(side.total, tally.counts)
    const rps = tally.acceptedInPhase / (durationMs / 1000)
    const cpuPercent = usage.reduce((sum, group) => sum + group.cpuPercent, 0)
    const { p50, p99 } = percentilesOf(tally.service)
    return {
      side: side.name,
      rps,
      p50,
      p99,
      cpuUs: (cpuPercent / 100 / rps) * 1e6,
      bad: tally.counts.sent - tally.counts.accepted,
      counts: tally.counts,
      generatorCpuPercent: health.cpuPercent,
      saturated: saturation(health, undefined),
      processes: usage,
    }
  } finally {
    load.close()
  }
}

/** Measures the sides in alternating rounds, so that disturbances hit them alike. */
export async function measureInTurn(
  session: Session,
  sides: readonly Side[],
): Promise<RoundFigures[][]> {
  const { options, signal } = session
  const rounds: RoundFigures[][] = []
  for (let number = 1; number <= options.rounds; number++) {
    const round: RoundFigures[] = []
    for (const side of sides) {
      const figures = await untilAborted(signal, measureRound(session, side))
      round.push(figures)
      const rate = Math.round(figures.rps)
      process.stderr.write(`round ${number} of ${options.rounds}: ${side.name}: ${rate}/s\n`)
    }
    rounds.push(round)
  }
  return rounds
}
