/** Runs a role of the product as a process. */
import type { Command } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { type Config, type Environment, environment } from '../../core/config/config.ts'
import { describeChanged, settingsHelp } from '../../core/config/config-text.ts'
import { type Reader, roleOf } from '../../core/config/setting-readers.ts'
import { createLog, type Log } from '../../core/log.ts'
import { quietRepeats } from '../../core/logging/quiet-repeats.ts'
import { createMetrics, type Metrics } from '../../core/metrics/metrics.ts'
import { createOpsServer, type Readiness } from '../../core/metrics/ops-server.ts'
import { packageVersion } from '../../core/package-root.ts'
import { type ProjectLimits, processLimits } from '../../core/project-limits.ts'
import { createReleasers, type Releasers } from '../../core/releasers.ts'
import { type OnWarned, warningMetrics } from '../../events/warnings/warning-metrics.ts'
import { commandConfig, outputLog } from '../command.ts'
import { onStopSignals, UsageError } from '../command-end.ts'
import { noteServer, type ServerPlace } from '../running-server.ts'
import { type ClaimedPorts, claimPorts, listenOn, type PortPlace } from './ports.ts'
import { addServiceOptions, type ServiceOptions, withOptions } from './service-options.ts'

export type ServiceCommand = {
  readonly name: string
  /** Role whose settings it reads. */
  readonly reader: Reader
  readonly description: string
  /** Problem of the settings for this role, although they are valid for others. */
  readonly problem?: (config: Config) => string | undefined
  /** The ports that it alone listens on, besides the admin port. */
  readonly ports?: (config: Config) => readonly PortPlace[]
}

type Build = (context: ServiceContext) => Promise<StartedService>

/** Declares the command of a role. Its help lists the settings. */
export function registerService(program: Command, command: ServiceCommand, build: Build): void {
  const declared = program
    .command(command.name)
    .description(command.description)
    .addHelpText('after', `\n${settingsHelp(command.reader)}`)
    .action((options: ServiceOptions) => runService(command, options, build))
  addServiceOptions(declared, command.reader)
}

/** Dependencies of a role, and the place where it registers its resources. */
export type ServiceContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Limits of projects; undefined when nothing is limited. */
  readonly limits: ProjectLimits | undefined
  /** Shared by the gateway and the worker of this process. */
  readonly onWarned: OnWarned
  readonly version: string
  /** They run in reverse order at shutdown. */
  readonly releasers: Releasers
  /** Claimed ports of the command; each is freed just before its server listens. */
  readonly ports: ClaimedPorts
  /** Ends this process in order after a failure, with exit status 1. */
  readonly endFailed: () => void
}

export type StartedService = {
  readonly unready: Readiness
  /** Logged with `ready`, such as the ports. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Written to the data folder, where commands look for it. */
  readonly place?: Omit<ServerPlace, 'ADMIN_PORT'>
  /** Printed when standard output is a terminal. */
  readonly banner?: () => Promise<string>
  /** Logged in place of the banner: addresses, and the command that prints a login link. */
  readonly signIn?: {
    readonly console: string
    readonly documentation: string
    readonly command: string
  }
}

const ADMIN_HOST = '127.0.0.1'
const EXIT_FAILED = 1

/**
 * Runs a role until a signal. It claims the ports, serves the admin port, builds the role and logs
 * `ready`. On SIGTERM or SIGINT it releases everything within SHUTDOWN_DEADLINE_MS and exits 0. A
 * later signal exits 1 at once. An unhandled fault ends the process with 1, because its state may
 * be inconsistent.
 */
async function runService(
  { reader, problem, ports: portsOf }: ServiceCommand,
  options: ServiceOptions,
  build: Build,
): Promise<void> {
  const role = roleOf(reader)
  const env = withOptions(reader, options, environment())
  const config = commandConfig(role, env)
  const wrong = problem?.(config)
  if (wrong !== undefined) throw new UsageError(`settings:\n  ${wrong}`)
  const onTerminal = process.stdout.isTTY
  const log = quietRepeats(
    onTerminal ? outputLog(config.logLevel, process.stdout) : createLog({ level: config.logLevel }),
    systemClock,
  )
  const metrics = createMetrics()
  const releasers = createReleasers(log)
  const { requested, endFailed } = stopOnSignals(config, log, releasers)
  dieOfFaults(log)
  logSettings(log, { reader, env })
  let readiness: Readiness = () => ['starting']
  const ops = createOpsServer({ metrics, readiness: () => readiness() })
  try {
    // When another instance has all of them, the error names the first setting, which moves them
    // all.
    const ports = await claimPorts(portsOf?.(config) ?? [])
    releasers.push('claimed ports', ports.freeAll)
    const place = { setting: 'ADMIN_PORT', host: ADMIN_HOST, port: config.adminPort } as const
    const { port: adminPort } = await listenOn(place, () => ops.listen(place.host, place.port))
    const version = packageVersion()
    const limits = processLimits(systemClock, config.projectLimits, metrics)
    const onWarned = warningMetrics(metrics)
    const told = { limits, onWarned, endFailed }
    const context = { config, log, metrics, version, releasers, ports, ...told }
    const service = await build(context)
    readiness = service.unready
    releasers.push('admin port', () => ops.close())
    if (service.place !== undefined) {
      const place = { ...service.place, ADMIN_PORT: adminPort }
      releasers.push('note of the ports', await noteServer(log, config.dataDir, place))
    }
    // Programs wait for the line 'ready', so it is the last.
    if (!onTerminal && service.signIn !== undefined) log.info('Sluice is ready', service.signIn)
    log.info('ready', { role, version, ...service.facts, adminPort })
    if (onTerminal) process.stdout.write((await service.banner?.()) ?? '')
  } catch (error) {
    if (requested()) return
    log.error('cannot start', { role, ...explained(error) })
    await releasers.release()
    await ops.close()
    process.exitCode = EXIT_FAILED
    exitSoon()
  }
}

/** Settings that are not their defaults, which `--help` lists: a line that fits a screen. */
function logSettings(log: Log, { reader, env }: { reader: Reader; env: Environment }): void {
  const shown = describeChanged(reader, env)
  if (Object.keys(shown).length > 0) log.info('settings', shown)
}

/**
 * The failure as one sentence for the operator, with a stack only where the sentence is not enough.
 */
function explained(error: unknown): Readonly<Record<string, unknown>> {
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof AppError)) return { reason, error }
  return error.cause instanceof Error ? { reason, cause: error.cause.message } : { reason }
}

function stopOnSignals(
  config: Config,
  log: Log,
  releasers: Releasers,
): { readonly requested: () => boolean; readonly endFailed: () => void } {
  let requested = false
  const stop = async (why: Readonly<Record<string, unknown>>, exitCode: number): Promise<void> => {
    requested = true
    log.info('stopping', { ...why, deadlineMs: config.shutdownDeadlineMs })
    systemClock.after(config.shutdownDeadlineMs, () => {
      log.error('not stopped in time')
      process.exit(EXIT_FAILED)
    })
    await releasers.release()
    log.info('stopped')
    process.exitCode = exitCode
    exitSoon()
  }
  onStopSignals({
    stop: (signal) => {
      // `release` never rejects.
      if (!requested) void stop({ signal }, 0)
    },
    force: (signal) => {
      log.warn('ended at once after a second signal; what was acknowledged is stored', {
        signal,
      })
      process.exit(EXIT_FAILED)
    },
  })
  return {
    requested: () => requested,
    endFailed: () => {
      if (!requested) void stop({}, EXIT_FAILED)
    },
  }
}

function dieOfFaults(log: Log): void {
  const die = (kind: 'exception' | 'rejection') => (error: unknown) => {
    log.error('unhandled fault', { kind, error, statement: statementOf(error) })
    process.exit(EXIT_FAILED)
  }
  process.on('uncaughtException', die('exception'))
  process.on('unhandledRejection', die('rejection'))
}

/**
 * The statement that failed, without its parameters, which the driver of Postgres adds to the
 * error.
 */
function statementOf(error: unknown): string | undefined {
  const statement: unknown = error instanceof Error ? Reflect.get(error, 'query') : undefined
  return typeof statement === 'string' ? statement : undefined
}

/** Native handles may live on after their close. All our resources are released. */
function exitSoon(): void {
  systemClock.after(100, () => process.exit())
}
