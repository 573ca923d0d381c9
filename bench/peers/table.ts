/** The table of a comparison, and the ratios in it. */
import type { GroupUsage } from '../load/machine/process-usage.ts'
import { type Spread, spreadOf } from '../load/report/stats.ts'
import type { Counts } from '../load/tally.ts'

/** Figures of one side in one round. Latencies in ms, from sending to the answer. */
export type RoundFigures = {
  readonly side: string
  /** Accepted answers a second. */
  readonly rps: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time of all server processes for each accepted answer. */
  readonly cpuUs: number
  /** Requests without the expected answer. */
  readonly bad: number
  readonly counts: Counts
  readonly generatorCpuPercent: number
  /** Set when the generator was saturated: the figures then describe the generator. */
  readonly saturated: string | undefined
  readonly processes: readonly GroupUsage[]
}

export type SideSummary = {
  readonly side: string
  readonly rps: Spread
  readonly p50: number
  readonly p99: number
  readonly cpuUs: number
  readonly generatorCpuPercent: number
  readonly bad: number
  /** Ratio to the peer's rate in the same round, since the machine's speed varies. */
  readonly ratio: Spread
}

/**
 * A row for each side, in the order of the rounds. Each round has every side once. The last side is
 * the peer, to which the ratios refer.
 */
export function summarise(rounds: readonly (readonly RoundFigures[])[]): SideSummary[] {
  const names = (rounds[0] ?? []).map(({ side }) => side)
  return names.map((side, index) => {
    const all = rounds.flatMap((round) => round.slice(index, index + 1))
    const median = (of: (figures: RoundFigures) => number) => spreadOf(all.map(of)).median
    return {
      side,
      rps: spreadOf(all.map(({ rps }) => rps)),
      p50: median(({ p50 }) => p50),
      p99: median(({ p99 }) => p99),
      cpuUs: median(({ cpuUs }) => cpuUs),
      generatorCpuPercent: median(({ generatorCpuPercent }) => generatorCpuPercent),
      bad: all.reduce((sum, { bad }) => sum + bad, 0),
      ratio: spreadOf(
        rounds.map((round) => (round[index]?.rps ?? Number.NaN) / (round.at(-1)?.rps ?? 0)),
      ),
    }
  })
}

/** Markdown, so that it can be copied into a document as it is. */
export function renderTable(rows: readonly SideSummary[]): string {
  const head = ['', 'Rate', 'Lowest to highest', 'p50', 'p99', 'Server CPU a request', 'Ratio']
  const cells = rows.map(({ side, rps, p50, p99, cpuUs, ratio }) => [
    side,
    `**${whole(rps.median)}/s**`,
    `${whole(rps.min)} to ${whole(rps.max)}`,
    `${short(p50)} ms`,
    `${short(p99)} ms`,
    `${whole(cpuUs)} us`,
    `${short(ratio.median)} (${short(ratio.min)} to ${short(ratio.max)})`,
  ])
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Why the figures must not be used; empty when nothing is wrong with them. */
export function problemsOf(rounds: readonly (readonly RoundFigures[])[]): string[] {
  return rounds.flatMap((round, index) =>
    round.flatMap(({ side, bad, counts, saturated }) => [
      ...(bad > 0 ? [`round ${index + 1}, ${side}: ${bad} of ${counts.sent} not accepted`] : []),
      ...(counts.accepted === 0 ? [`round ${index + 1}, ${side}: no valid answer`] : []),
      ...(saturated === undefined ? [] : [`round ${index + 1}, ${side}: ${saturated}`]),
    ]),
  )
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Three significant digits. */
function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
