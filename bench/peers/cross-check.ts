/**
 * Does our load generator measure the same as wrk and h2load? The three send the same constant body
 * to one running product in alternating rounds, with equal connections and times. Prints the three
 * rates and how far they are apart.
 *
 *   npx tsx bench/peers/cross-check.ts [--seconds 10] [--rounds 3] [--json FILE]
 *       [--server-cpus 0 --generator-cpus 1]
 *
 * After `npm run build`. Needs wrk and h2load (Debian: wrk, nghttp2-client).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../src/core/code.ts'
import { type ProcessGroup, watchGroups } from '../load/machine/process-usage.ts'
import { type Spread, spreadOf } from '../load/report/stats.ts'
import { ensureFlags, isManaged } from '../load/workload/management-api.ts'
import { isDecideAnswer } from '../load/workload/request-source.ts'
import { createFixedSource, postRequest, userId } from './fixed-source.ts'
import {
  createWrk,
  H2LOAD,
  type LoadTool,
  requireTool,
  runTool,
  type ToolRun,
  wrkScript,
} from './load-tools.ts'
import { createSide, measureRound, prime, targetOf } from './measure.ts'
import {
  moveGenerator,
  type Outcome,
  print,
  printEnvironment,
  readOptions,
  runSession,
  type Session,
  startOurs,
  untilAborted,
} from './session.ts'

const FLAGS = 20
/** A change of flags reaches every gateway within a second. */
const FLAGS_SETTLE_MS = 1_500

await runSession(readOptions('cross-check'), compare)

async function compare(session: Session): Promise<Outcome> {
  const { clock, options, folder, signal } = session
  const scriptFile = join(folder, 'post.lua')
  const tools: LoadTool[] = [createWrk(scriptFile), H2LOAD]
  for (const tool of tools) await requireTool(tool, signal)
  printEnvironment(options)
  const product = await startOurs(session)
  moveGenerator(options)
  const project = product.projects.find(isManaged)
  if (project === undefined) throw new AppError('internal', 'the product has no project')
  await ensureFlags(product.url, project, FLAGS)
  await clock.sleep(FLAGS_SETTLE_MS, signal)

  const path = '/decide/?v=2'
  const body = JSON.stringify({ api_key: project.apiKey, distinct_id: userId(1) })
  const bodyFile = join(folder, 'body.json')
  writeFileSync(bodyFile, body)
  writeFileSync(scriptFile, wrkScript(body))
  const request = postRequest({ host: new URL(product.url).host, path }, body)
  const side = createSide('our generator', {
    target: targetOf(product.url),
    source: createFixedSource([request], isDecideAnswer),
    groups: product.groups,
  })
  await prime(session, side, options.connections * 100)

  const { connections } = options
  const run = { url: `${product.url}${path}`, bodyFile, connections }
  const rounds: Measured[][] = []
  const problems: string[] = []
  for (let number = 1; number <= options.rounds; number++) {
    const ours = await untilAborted(signal, measureRound(session, side))
    if (ours.bad > 0) problems.push(`round ${number}: ${ours.bad} requests not accepted`)
    if (ours.saturated !== undefined) problems.push(`round ${number}: ${ours.saturated}`)
    const round: Measured[] = [{ name: side.name, rps: ours.rps, cpuUs: ours.cpuUs }]
    for (const tool of tools) round.push(await measureTool(session, tool, run, product.groups))
    rounds.push(round)
    const rates = round.map(({ name, rps }) => `${name} ${Math.round(rps)}/s`).join(', ')
    process.stderr.write(`round ${number} of ${options.rounds}: ${rates}\n`)
  }
  const rows = rowsOf(rounds)
  printRows(rows)
  return { report: { bench: 'cross-check', rows, rounds }, problems }
}

/** One tool in one round: requests a second, and the servers' processor time for each. */
type Measured = { readonly name: string; readonly rps: number; readonly cpuUs: number }

async function measureTool(
  { clock, options, signal }: Session,
  tool: LoadTool,
  run: Omit<ToolRun, 'seconds'>,
  groups: readonly ProcessGroup[],
): Promise<Measured> {
  const { seconds, warmup } = options
  // The tools take whole seconds.
  if (warmup >= 1) await runTool(tool, { ...run, seconds: Math.floor(warmup) }, signal)
  const processes = watchGroups(clock, groups)
  const rps = await runTool(tool, { ...run, seconds: Math.ceil(seconds) }, signal)
  const usage = await processes.stop()
  const cpuPercent = usage.reduce((sum, group) => sum + group.cpuPercent, 0)
  return { name: tool.name, rps, cpuUs: (cpuPercent / 100 / rps) * 1e6 }
}

type Row = {
  readonly name: string
  readonly rps: Spread
  /** Ratio to our generator's rate in the same round. */
  readonly share: Spread
  readonly cpuUs: number
}

function rowsOf(rounds: readonly (readonly Measured[])[]): Row[] {
  return (rounds[0] ?? []).map(({ name }, index) => {
    const all = rounds.flatMap((round) => round.slice(index, index + 1))
    return {
      name,
      rps: spreadOf(all.map(({ rps }) => rps)),
      share: spreadOf(rounds.map((round) => (round[index]?.rps ?? 0) / (round[0]?.rps ?? 0))),
      cpuUs: spreadOf(all.map(({ cpuUs }) => cpuUs)).median,
    }
  })
}

/** Difference of highest and lowest, in percent of the lowest. */
function largestDifference(figures: readonly number[]): string {
  return ((Math.max(...figures) / Math.min(...figures) - 1) * 100).toFixed(1)
}

function printRows(rows: readonly Row[]): void {
  const head = ['One constant body', 'Rate', 'Lowest to highest', 'Of ours', 'Server CPU a request']
  const whole = (value: number) => Math.round(value).toLocaleString('en-US')
  const cells = rows.map(({ name, rps, share, cpuUs }) => [
    name,
    `**${whole(rps.median)}/s**`,
    `${whole(rps.min)} to ${whole(rps.max)}`,
    `${share.median.toFixed(2)} (${share.min.toFixed(2)} to ${share.max.toFixed(2)})`,
    `${cpuUs.toFixed(1)} us`,
  ])
  const table = [head, head.map(() => '---'), ...cells]
  print(table.map((row) => `| ${row.join(' | ')} |`).join('\n'))
  const rates = largestDifference(rows.map(({ rps }) => rps.median))
  const inRound = largestDifference(rows.map(({ share }) => share.median))
  const cpu = largestDifference(rows.map(({ cpuUs }) => cpuUs))
  print(
    `\nLargest difference: ${rates} % of the median rates, ${inRound} % of the rates in one round, ` +
      `${cpu} % of the server's processor time.`,
  )
}
