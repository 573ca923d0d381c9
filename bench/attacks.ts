/**
 * Does an attack harm other tenants? Starts gateway and worker with all their stores. Clients of
 * one project capture and decide at fixed rates: for each attack alone first, then beside an
 * attacker, who has the keys of another project at most. Prints p99, the longest decide and
 * success of the good clients, the memory that worker and gateway gained, the longest turns of
 * their event loops, the processor time that they and Postgres took beside the attack over that of
 * the calm phase (both tell more than latencies where a machine is busy), and processes that ended.
 * Exits with 1 when a goal is missed: p99 at most 20 ms higher, every request served, 300 MB more
 * memory at most, no restart.
 * Run: `npx tsx bench/attacks.ts [--only TEXT] [--seconds 10] [--rounds 1] [--json FILE]`, after
 * `npm run build`.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { systemClock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { packageRoot } from '../src/core/package-root.ts'
import { heldReader, probeSettings } from '../test/support/held-loop.ts'
import { type Struck, strangersAddress, type Target } from './attacks/attack.ts'
import type { Order, Reply } from './attacks/attacker.ts'
import { ATTACKS } from './attacks/attacks.ts'
import {
  type Phase,
  type Tried,
  type Verdict,
  verdictOf,
  verdictsTable,
} from './attacks/verdicts.ts'
import { ageLog } from './load/machine/database.ts'
import type { Product } from './load/machine/product.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'
import type { RunReport } from './load/report/report.ts'
import { textTable } from './load/report/text-table.ts'
import { runOnce, startSplit, stopWhenInterrupted, WORKLOADS } from './load/single-run.ts'

/** Far beyond what preparing one takes. */
const PATIENT_MS = 60_000

type Options = {
  only?: string
  rate: number
  decides: number
  attacks: number
  seconds: number
  rounds: number
  json?: string
}

/** Node compiles hot code for some seconds. */
const WARMUP_S = 10
/** Pause after an attack, in which the work that it left behind ends. */
const SETTLE_MS = 3_000

await new Command('attacks')
  .description('what attacks do to other tenants')
  .option('--only <text>', 'attacks whose names hold it')
  .option('--rate <captures>', 'of the good clients, a second', wholeNumber(1, 100_000), 2_000)
  .option('--decides <decides>', 'of the good clients, a second', wholeNumber(1, 100_000), 500)
  .option('--attacks <strikes>', 'a second', wholeNumber(1, 10_000), 50)
  .option('--seconds <seconds>', 'of each phase', wholeNumber(2, 600), 10)
  .option('--rounds <count>', 'of calm and attack', wholeNumber(1, 20), 1)
  .option('--json <file>', 'for all figures')
  .action(main)
  .parseAsync()

async function main(options: Options): Promise<void> {
  const attacks = ATTACKS.filter(({ name }) => name.includes(options.only ?? ''))
  const folder = mkdtempSync(join(tmpdir(), 'sluice-attacks-'))
  const probe = join(folder, 'probe')
  const { product, signal } = await startSplit({ projects: 2, environment: probeSettings(probe) })
  const held = heldOf(product, probe)
  stopWhenInterrupted(product, signal)
  const verdicts: Verdict[] = []
  const all: Tried[] = []
  try {
    await ageLog(product.databaseUrl)
    await goodLoad(product, options, WARMUP_S, held)
    for (const { name } of attacks) {
      const tried = await tryAttack(product, name, options, held)
      const verdict = verdictOf(tried)
      all.push(tried)
      verdicts.push(verdict)
      const answers = tried.struck.map((each) => JSON.stringify(each.answers)).join(' ')
      print(`${name}: answers ${answers}; ${verdict.missed.join(', ') || 'goals met'}`)
      if (tried.ended.length > 0) break // Nothing is left to attack.
    }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  print(...textTable(verdictsTable(verdicts)))
  if (options.json !== undefined) {
    const report = { schema: 'sluice-attacks/1', options, verdicts, tried: all }
    writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)
  }
  if (verdicts.some(({ missed }) => missed.length > 0)) process.exitCode = 1
}

async function tryAttack(
  product: Product,
  name: string,
  options: Options,
  held: Held,
): Promise<Tried> {
  const rounds: { calm: Phase; beside: Phase }[] = []
  const struck: Struck[] = []
  for (let round = 0; round < options.rounds; round++) {
    const attacker = await startAttacker(name, targetOf(product, name))
    try {
      const calm = await goodLoad(product, options, options.seconds, held)
      // The first second of a phase prepares it; the attack is under way when it ends.
      attacker.begin(options.attacks)
      const beside = await goodLoad(product, options, options.seconds, held)
      struck.push(await attacker.stop())
      rounds.push({ calm, beside })
    } finally {
      attacker.kill()
    }
    await systemClock.sleep(SETTLE_MS)
  }
  return { name, rounds, struck, ended: product.ended() }
}

/** Milliseconds of the longest turn since the last call, for each role. */
type Held = Readonly<Record<'worker' | 'gateway', () => number>>

function heldOf({ groups }: Product, probe: string): Held {
  const reader = (role: string) => {
    const [pid] = groups.find(({ name }) => name === `${role}-1`)?.pids() ?? []
    if (pid === undefined) throw new AppError('internal', `there is no ${role}`)
    return heldReader(probe, pid)
  }
  return { worker: reader('worker'), gateway: reader('gateway') }
}

function targetOf({ url, grpcPort, projects }: Product, attack: string): Target {
  const { hostname, port } = new URL(url)
  const [, project] = projects
  if (project === undefined) throw new AppError('internal', 'two projects are needed')
  const from = strangersAddress(ATTACKS.findIndex(({ name }) => name === attack))
  return { host: hostname, httpPort: Number(port), grpcPort, from, project }
}

async function goodLoad(
  product: Product,
  options: Options,
  seconds: number,
  held: Held,
): Promise<Phase> {
  for (const read of Object.values(held)) read() // Earlier use counts for nobody.
  const mix = { capture: options.rate, decide: options.decides, batch: 0, management: 0 }
  const { run } = await runOnce({
    product,
    projects: product.projects.slice(0, 1),
    workload: {
      ...WORKLOADS.capture,
      ...WORKLOADS.cold,
      kind: 'mixed',
      mix,
      route: 'events',
      events: 0,
    },
    model: { kind: 'open', ratePerS: options.rate + options.decides, arrivals: 'poisson' },
    durationMs: seconds * 1_000,
  })
  return phaseOf(run, held)
}

function phaseOf({ kinds, counts, processes }: RunReport, held: Held): Phase {
  const usage = (role: keyof Held) => {
    const name = `${role}-1`
    const found = processes.find((each) => each.name === name)
    const { rssMbPeak = 0, cpuPercent = 0 } = found ?? {}
    return { rssMb: rssMbPeak, cpuPercent, longestTurnMs: held[role]() }
  }
  const postgres = processes.find(({ name }) => name === 'postgres')
  const p99 = (kind: string) => kinds?.[kind]?.figures.p99 ?? Number.NaN
  return {
    p99: { capture: p99('capture'), decide: p99('decide') },
    longestDecideMs: kinds?.['decide']?.figures.max ?? Number.NaN,
    sent: counts.sent,
    accepted: counts.accepted,
    worker: usage('worker'),
    gateway: usage('gateway'),
    postgres: { cpuPercent: postgres?.cpuPercent ?? 0 },
  }
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Starts the process of an attack, and sends it orders. */
type RunningAttacker = {
  begin(ratePerS: number): void
  /** @throws {AppError} `internal` when the attacker has failed. */
  stop(): Promise<Struck>
  /** Ends its process at any moment. */
  kill(): void
}

/** Resolves once the attack is prepared. @throws {AppError} `internal` when it cannot be. */
async function startAttacker(name: string, target: Target): Promise<RunningAttacker> {
  const script = join(packageRoot, 'bench', 'attacks', 'attacker.ts')
  const child = fork(script, { execArgv: ['--import=tsx'] })
  const tell = (order: Order) => void child.send(order)
  const ready = replyOf(child)
  tell({ kind: 'prepare', name, target })
  try {
    await ready
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    begin: (ratePerS) => tell({ kind: 'begin', ratePerS }),
    async stop() {
      const last = replyOf(child)
      tell({ kind: 'stop' })
      const reply = await last
      if (reply.kind !== 'struck') throw new AppError('internal', 'the attacker did not report')
      return reply.struck
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function replyOf(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new AppError('internal', `the attacker: ${reason}`))
    const late = setTimeout(fail, PATIENT_MS, 'no reply')
    child.once('message', (reply: Reply) => {
      clearTimeout(late)
      if (reply.kind === 'failed') fail(reply.reason)
      else resolve(reply)
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      fail(`ended with ${code ?? signal}`)
    })
  })
}
