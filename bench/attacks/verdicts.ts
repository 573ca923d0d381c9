/** Effect of an attack on other clients, and whether the goals were met. Pure. */
import { spreadOf } from '../load/report/stats.ts'
import { figure, type Table } from '../load/report/text-table.ts'
import type { Struck } from './attack.ts'

/** The good load of one phase. Milliseconds and MB. */
export type Phase = {
  readonly p99: { readonly capture: number; readonly decide: number }
  readonly longestDecideMs: number
  readonly sent: number
  readonly accepted: number
  readonly worker: Usage
  readonly gateway: Usage
  /** With all its connections. */
  readonly postgres: Pick<Usage, 'cpuPercent'>
}

export type Usage = {
  readonly rssMb: number
  /** Share of one core. */
  readonly cpuPercent: number
  /** Processor time of the longest turn of its event loop, which other load does not change. */
  readonly longestTurnMs: number
}

/** One attack: in each round a calm phase, then one beside the attack. */
export type Tried = {
  readonly name: string
  readonly rounds: readonly { readonly calm: Phase; readonly beside: Phase }[]
  readonly struck: readonly Struck[]
  /** Processes of the product that ended. */
  readonly ended: readonly string[]
}

type Role = 'worker' | 'gateway' | 'postgres'

const P99_RISE_MS_MAX = 20
const RSS_RISE_MB_MAX = 300

export type Verdict = {
  readonly name: string
  /** Medians over the rounds. */
  readonly p99: Readonly<Record<'capture' | 'decide', { calm: number; beside: number }>>
  /** Beside the attack. */
  readonly longestDecideMs: number
  /** From 0 to 1, the lowest of the rounds. */
  readonly success: number
  /** From the highest of calm phases to the highest beside the attack. */
  readonly rssRiseMb: Readonly<Record<'worker' | 'gateway', number>>
  /** Beside the attack. */
  readonly longestTurnMs: Readonly<Record<'worker' | 'gateway', number>>
  readonly strikesPerS: number
  readonly attackerCpuPercent: number
  /** Processor time beside the attack over that of the calm phase: milliseconds a second. */
  readonly cpuRise: Readonly<Record<Role, number>>
  /** Goals that were missed, as sentences. */
  readonly missed: readonly string[]
}

export function verdictOf({ name, rounds, struck, ended }: Tried): Verdict {
  const median = (kind: 'calm' | 'beside', of: 'capture' | 'decide') =>
    spreadOf(rounds.map((round) => round[kind].p99[of])).median
  const p99Of = (of: 'capture' | 'decide') => ({
    calm: median('calm', of),
    beside: median('beside', of),
  })
  const peak = (kind: 'calm' | 'beside', of: 'worker' | 'gateway') =>
    Math.max(...rounds.map((round) => round[kind][of].rssMb))
  const rise = (of: 'worker' | 'gateway') => Math.max(0, peak('beside', of) - peak('calm', of))
  const seconds = struck.reduce((sum, each) => sum + each.seconds, 0)
  const strikes = struck.reduce((sum, each) => sum + each.strikes, 0)
  const p99 = { capture: p99Of('capture'), decide: p99Of('decide') }
  const success = Math.min(...rounds.map(({ beside }) => beside.accepted / beside.sent))
  const rssRiseMb = { worker: rise('worker'), gateway: rise('gateway') }
  const turn = (of: 'worker' | 'gateway') =>
    Math.max(...rounds.map(({ beside }) => beside[of].longestTurnMs))
  const longestTurnMs = { worker: turn('worker'), gateway: turn('gateway') }
  const longestDecideMs = Math.max(...rounds.map(({ beside }) => beside.longestDecideMs))
  const cpu = (of: Role) =>
    10 * spreadOf(rounds.map((r) => r.beside[of].cpuPercent - r.calm[of].cpuPercent)).median
  const cpuRise = { worker: cpu('worker'), gateway: cpu('gateway'), postgres: cpu('postgres') }
  const missed = [
    ...(['capture', 'decide'] as const).flatMap((of) => {
      const more = p99[of].beside - p99[of].calm
      return more <= P99_RISE_MS_MAX ? [] : [`p99 of ${of} rose by ${figure(more)} ms`]
    }),
    ...(success === 1 ? [] : [`${figure((1 - success) * 100)} % were not served`]),
    ...(['worker', 'gateway'] as const).flatMap((of) =>
      rssRiseMb[of] <= RSS_RISE_MB_MAX ? [] : [`${of} grew by ${figure(rssRiseMb[of])} MB`],
    ),
    ...ended.map((process) => `${process} ended`),
  ]
  const attackerCpuPercent = spreadOf(struck.map((each) => each.cpuPercent)).median
  const strikesPerS = strikes / seconds
  const attack = { strikesPerS, attackerCpuPercent }
  return {
    name,
    p99,
    longestDecideMs,
    success,
    rssRiseMb,
    longestTurnMs,
    cpuRise,
    ...attack,
    missed,
  }
}

export function verdictsTable(verdicts: readonly Verdict[]): Table {
  const change = ({ calm, beside }: { calm: number; beside: number }) =>
    `${calm.toFixed(1)} -> ${beside.toFixed(1)}`
  return {
    head: ['attack', 'a second', 'its CPU %', 'capture p99 ms', 'decide p99 ms'].concat([
      'longest decide ms',
      'served %',
      'worker MB',
      'gateway MB',
      'turns ms',
      'CPU ms/s of worker, gateway, Postgres',
      'goals',
    ]),
    rows: verdicts.map(
      ({
        name,
        p99,
        longestDecideMs,
        success,
        rssRiseMb,
        longestTurnMs,
        cpuRise,
        missed,
        ...attack
      }) => [
        name,
        figure(attack.strikesPerS),
        figure(Math.round(attack.attackerCpuPercent)),
        change(p99.capture),
        change(p99.decide),
        figure(longestDecideMs),
        figure(success * 100),
        `+${Math.round(rssRiseMb.worker)}`,
        `+${Math.round(rssRiseMb.gateway)}`,
        `${Math.round(longestTurnMs.worker)}, ${Math.round(longestTurnMs.gateway)}`,
        [cpuRise.worker, cpuRise.gateway, cpuRise.postgres].map(Math.round).join(', '),
        missed.length === 0 ? 'met' : 'missed',
      ],
    ),
  }
}
