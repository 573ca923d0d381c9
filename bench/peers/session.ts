/** Resources that a comparison starts and ends: the product, the peers' packages, a folder. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { silentLog } from '../../src/core/log.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { createReleasers, type Releasers } from '../../src/core/releasers.ts'
import { pinTo, readEnvironment } from '../load/machine/environment.ts'
import { type Product, startProduct } from '../load/machine/product.ts'
import { decimalNumber, wholeNumber } from '../load/plan/option-parsers.ts'

/** One comparison, from its start to the end of everything that it started. */
export type Session = {
  readonly clock: Clock
  readonly options: ComparisonOptions
  /** Temporary, and gone afterwards. */
  readonly folder: string
  readonly releasers: Releasers
  /** Aborts on SIGINT or SIGTERM. */
  readonly signal: AbortSignal
}

export const PEERS_FOLDER = join(packageRoot, 'bench', 'peers')

/** Findings of a comparison. */
export type Outcome = { readonly report: object; readonly problems: readonly string[] }

/**
 * Runs a comparison and ends everything that it started, also when it is interrupted. Problems with
 * the figures are written out and make the exit code 1.
 */
export async function runSession(
  options: ComparisonOptions,
  compare: (session: Session) => Promise<Outcome>,
): Promise<void> {
  const stop = new AbortController()
  const interrupt = () => stop.abort(new AppError('cancelled', 'interrupted'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-peers-'))
  // Postgres does not run as root and must reach its own folder in here.
  chmodSync(folder, 0o711)
  const releasers = createReleasers(silentLog)
  releasers.push('folder', () => rmSync(folder, { recursive: true, force: true }))
  const session = { clock: systemClock, options, folder, releasers, signal: stop.signal }
  try {
    const startedAt = new Date(systemClock.now()).toISOString()
    const environment = readEnvironment()
    const { report, problems } = await compare(session)
    writeReport(options, { startedAt, environment, settings: options, ...report, problems })
    for (const problem of problems) print(`not ok: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  } finally {
    await releasers.release()
    // An abandoned phase of load would keep this process alive.
    if (stop.signal.aborted) process.exit(1)
  }
}

/** Starts a worker and a gateway of the product, which end with the session. */
export async function startOurs(session: Session): Promise<Product> {
  const { clock, options, releasers, signal } = session
  // Processes inherit their CPUs: servers start before the generator moves.
  if (options.serverCpus !== undefined) pinTo(options.serverCpus)
  const wanted = { topology: 'split', projects: 1, environment: {}, signal } as const
  const product = await startProduct(clock, wanted)
  releasers.push('product', () => product.stop())
  signal.throwIfAborted()
  return product
}

/** To be called once all servers run. */
export function moveGenerator({ generatorCpus }: ComparisonOptions): void {
  if (generatorCpus !== undefined) pinTo(generatorCpus)
}

/**
 * Installs the peers' packages where they are missing or of another version.
 * @throws {AppError} when npm cannot.
 */
export function installPeers(): void {
  const wanted = dependenciesOf(join(PEERS_FOLDER, 'package.json'))
  const missing = wanted.filter(([name, version]) => version !== installedVersion(name))
  if (missing.length === 0) return
  const names = missing.map(([name, version]) => `${name} ${version}`).join(', ')
  process.stderr.write(`installing ${names} in ${PEERS_FOLDER}\n`)
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS_FOLDER,
    stdio: ['ignore', 2, 2],
  })
  if (done.status === 0) return
  throw new AppError('failed_precondition', `npm ci in ${PEERS_FOLDER} ended with ${done.status}`)
}

/** The version of an installed package; undefined when there is none. */
export function installedVersion(name: string): string | undefined {
  try {
    const file = join(PEERS_FOLDER, 'node_modules', name, 'package.json')
    const { version }: { version?: string } = JSON.parse(readFileSync(file, 'utf8'))
    return version
  } catch {
    return undefined // Not installed, which is what the caller asks.
  }
}

function dependenciesOf(file: string): [string, string][] {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(manifest.dependencies)
}

function writeReport({ json }: ComparisonOptions, report: object): void {
  if (json === undefined) return
  writeFileSync(json, `${JSON.stringify({ schema: 'sluice-peers/1', ...report }, undefined, 2)}\n`)
}

/** Abandons work that cannot be stopped. Starts are awaited: they must end what they began. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Prints machine and load first: figures mean nothing without them. */
export function printEnvironment(options: ComparisonOptions): void {
  const { cpuModel, cores, kernel, node, revision, loadBefore } = readEnvironment()
  print(`${cpuModel}, ${cores} cores, kernel ${kernel}, node ${node}, revision ${revision}`)
  const { seconds, warmup, rounds, connections, serverCpus, generatorCpus } = options
  print(
    `${rounds} rounds of ${seconds} s after ${warmup} s, ${connections} connections, servers on ` +
      `CPUs ${serverCpus ?? 'all'}, generator on ${generatorCpus ?? 'all'}, load before ` +
      `${loadBefore.toFixed(2)}\n`,
  )
}

/** The options of every comparison. */
type ComparisonOptions = {
  readonly seconds: number
  readonly warmup: number
  readonly rounds: number
  readonly connections: number
  readonly distinctIds: number
  readonly plain: boolean
  readonly serverCpus?: string
  readonly generatorCpus?: string
  readonly json?: string
}

export function readOptions(name: string): ComparisonOptions {
  return new Command(name)
    .option('--seconds <seconds>', 'measured, each side and round', decimalNumber(0.1, 3_600), 10)
    .option('--warmup <seconds>', 'before each, not measured', decimalNumber(0, 600), 5)
    .option('--rounds <count>', 'of which the median counts', wholeNumber(1, 100), 3)
    .option('--connections <count>', 'kept open', wholeNumber(1, 1_000), 64)
    .option('--distinct-ids <count>', 'to choose from', wholeNumber(64, 1_000_000), 10_000)
    .option('--plain', 'captures of ten short properties, not page views', false)
    .option('--server-cpus <list>', 'run all servers there (taskset)')
    .option('--generator-cpus <list>', 'run the load generator there (taskset)')
    .option('--json <file>', 'write all figures there too')
    .parse()
    .opts<ComparisonOptions>()
}
