/** Makes a plan from options of the command line. */
import { err, ok, type Result } from '../../../src/core/result.ts'
import type { LoadModel } from '../load-run.ts'
import { type ProcessGroup, pidGroup, treeGroup } from '../machine/process-usage.ts'
import type { ReportPaths } from '../report/report-files.ts'
import type { Threshold } from '../report/threshold.ts'
import type { ArrivalKind } from '../schedule.ts'
import type { BenchProject } from '../workload/management-api.ts'
import type { BenchPlan, Workload } from './plan.ts'

/** Options that all benches share, as the command line passes them, each checked alone. */
export type CommonOptions = ReportPaths & {
  /** Server under test; without one, the server of the data folder. */
  url?: string
  apiKey?: string[]
  projectId?: number[]
  personalApiKey?: string
  databaseUrl?: string
  connections: number
  duration: number
  warmup: number
  runs: number
  rate?: number
  arrivals: ArrivalKind
  timeout: number
  backlog: number
  distinctIds: number
  zipf?: number
  seed: number
  expectedInterval?: number
  threshold: Threshold[]
  drain: number
  pids: [name: string, pid: number][]
  serverPid?: number
  generatorCpus?: string
  serverCpus?: string
  baseline?: string
  maxRegression?: number
  ramp?: number[]
  self: boolean
  topology: 'standalone' | 'split'
  workers: number
  gateways: number
  projects: number
  eventsUrl?: string
  store?: BenchStore
  env: Record<string, string>
  slo: boolean
}

/** Event store of a product that the bench starts. */
export type BenchStore = 'postgres' | 'clickhouse'

/** Reads options that depend on each other. The error is a sentence for the user. */
export function planOf(
  options: CommonOptions,
  workload: Workload,
  target: Pick<BenchPlan, 'url' | 'projects' | 'databaseUrl'>,
  groups: readonly ProcessGroup[],
): Result<BenchPlan, string> {
  const problem = problemWithTarget(options, target) ?? problemWithOptions(options)
  if (problem !== undefined) return err(problem)
  const ratePerS = options.ramp?.[0] ?? options.rate
  const model: LoadModel =
    ratePerS === undefined
      ? { kind: 'closed' }
      : { kind: 'open', ratePerS, arrivals: options.arrivals }
  return ok({
    workload,
    ...target,
    model,
    ...(options.ramp === undefined ? {} : { ramp: options.ramp }),
    connections: options.connections,
    warmupMs: options.warmup * 1000,
    durationMs: options.duration * 1000,
    runs: options.runs,
    timeoutMs: options.timeout * 1000,
    backlogMax: options.backlog,
    distinctIds: options.distinctIds,
    zipfExponent: options.zipf,
    seed: options.seed,
    expectedIntervalMs: options.expectedInterval,
    thresholds: options.threshold,
    readBack: true,
    drainMs: options.drain * 1000,
    groups,
    settings: reportedSettings(options, workload),
  })
}

function problemWithTarget(
  options: CommonOptions,
  target: Pick<BenchPlan, 'url' | 'projects'>,
): string | undefined {
  if (!URL.canParse(target.url)) return `--url ${target.url} is not a URL`
  const { protocol, pathname } = new URL(target.url)
  if (protocol !== 'http:') return '--url must be http: the generator speaks no TLS'
  if (pathname !== '/') return '--url is only scheme, host and port'
  if (target.projects.length === 0) return '--api-key is needed unless --self is given'
  if (options.projectId !== undefined && options.projectId.length !== target.projects.length) {
    return '--project-id needs one id for each --api-key'
  }
  return undefined
}

/** Problems that can be found without a server. Returns a sentence for the user. */
export function problemWithOptions(options: CommonOptions): string | undefined {
  const { rate, ramp } = options
  if (ramp !== undefined && (rate !== undefined || options.slo)) {
    return '--ramp brings its own rates: neither --rate nor --slo goes with it'
  }
  const open = rate !== undefined || ramp !== undefined
  if (open && options.expectedInterval !== undefined) {
    return '--expected-interval corrects a closed run; with --rate nothing needs correcting'
  }
  if (options.slo && rate === undefined) return '--slo needs --rate to start from'
  if (options.slo && options.threshold.length === 0) {
    return '--slo needs --threshold to say what must hold'
  }
  if (options.eventsUrl !== undefined && !options.self) {
    return '--events-url needs --self: a server under test has its own'
  }
  if ((options.store ?? 'postgres') !== 'postgres' && options.eventsUrl === undefined) {
    return `--store ${options.store} needs --events-url`
  }
  if (options.maxRegression !== undefined && options.baseline === undefined) {
    return '--max-regression needs --baseline to compare with'
  }
  return undefined
}

/** Projects that the command line names. */
export function namedProjects(options: CommonOptions): BenchProject[] {
  return (options.apiKey ?? []).map((apiKey, index) => ({
    apiKey,
    projectId: options.projectId?.[index],
    personalApiKey: options.personalApiKey,
  }))
}

/** Processes on the command line. `--server-pid` includes the process's children. */
export function namedGroups(options: CommonOptions): ProcessGroup[] {
  const groups = options.pids.map(([name, pid]) => pidGroup(name, pid))
  const { serverPid } = options
  if (serverPid !== undefined) groups.push(treeGroup('server', () => serverPid))
  return groups
}

function reportedSettings(options: CommonOptions, workload: Workload): Record<string, unknown> {
  const { apiKey, personalApiKey, databaseUrl, threshold, env, ...others } = options
  // It may hold a password.
  const { eventsUrl, store = eventsUrl === undefined ? 'postgres' : 'clickhouse', ...rest } = others
  const { json: _json, csv: _csv, html: _html, hgrm: _hgrm, ...plain } = rest
  return {
    ...workload,
    ...plain,
    store,
    model: options.rate === undefined && options.ramp === undefined ? 'closed' : 'open',
    keys: apiKey?.length ?? options.projects,
    readBack: databaseUrl !== undefined || personalApiKey !== undefined || options.self,
    threshold: threshold.map(({ metric, operator, limit }) => `${metric}${operator}${limit}`),
    // Values may be secrets. The names show which settings were changed.
    env: Object.keys(env),
  }
}
