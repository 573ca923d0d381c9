/** Runs a role of the product as a process. */
import type { Command } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Config, Role } from '../../core/config/config.ts'
import { describeConfig, settingsHelp } from '../../core/config/config-text.ts'
import { createLog, type Log } from '../../core/log.ts'
import { createMetrics, type Metrics } from '../../core/metrics/metrics.ts'
import { createOpsServer, type Readiness } from '../../core/metrics/ops-server.ts'
import { packageVersion } from '../../core/package-root.ts'
import { createReleasers, type Releasers } from '../../core/releasers.ts'
import { commandConfig } from '../command.ts'
import { UsageError } from '../command-end.ts'

/** Declares the command of a role. Its help lists the settings. */
export function registerService(
  program: Command,
  command: {
    name: string
    role: Role
    description: string
    /** What is wrong with the settings for this role, although they are valid for others. */
    problem?: (config: Config) => string | undefined
  },
  build: (context: ServiceContext) => Promise<StartedService>,
): void {
  program
    .command(command.name)
    .description(command.description)
    .addHelpText('after', `\n${settingsHelp(command.role)}`)
    .action(() => runService(command, build))
}

/** What a role is built from, and where it registers its resources. */
export type ServiceContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly version: string
  /** They run in reverse order at shutdown. */
  readonly releasers: Releasers
  /** Ends this process in order after a failure, with exit status 1. */
  readonly endFailed: () => void
}

export type StartedService = {
  readonly unready: Readiness
  /** Logged with `ready`, such as the ports. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Printed when standard output is a terminal. */
  readonly banner?: () => string
}

const ADMIN_HOST = '127.0.0.1'
const EXIT_FAILED = 1

/**
 * Runs a role until a signal. It builds the role, serves the admin port and logs `ready`. On
 * SIGTERM or SIGINT it releases everything within SHUTDOWN_DEADLINE_MS and exits 0. A second signal
 * exits 1 at once. An unhandled fault ends the process with 1, because its state may be
 * inconsistent.
 */
async function runService(
  { role, problem }: { role: Role; problem?: (config: Config) => string | undefined },
  build: (context: ServiceContext) => Promise<StartedService>,
): Promise<void> {
  const config = commandConfig(role)
  const wrong = problem?.(config)
  if (wrong !== undefined) throw new UsageError(`settings:\n  ${wrong}`)
  const log = createLog({ level: config.logLevel })
  const metrics = createMetrics()
  const releasers = createReleasers(log)
  const { requested, endFailed } = stopOnSignals(config, log, releasers)
  dieOfFaults(log)
  log.info('settings', describeConfig(role))
  try {
    const version = packageVersion()
    const context = { config, log, metrics, version, releasers, endFailed }
    const service = await build(context)
    const ops = createOpsServer({ metrics, readiness: service.unready })
    const { port: adminPort } = await ops.listen(ADMIN_HOST, config.adminPort)
    releasers.push('admin port', () => ops.close())
    log.info('ready', { role, version, ...service.facts, adminPort })
    if (service.banner !== undefined && process.stdout.isTTY) {
      process.stdout.write(service.banner())
    }
  } catch (error) {
    if (requested()) return
    log.error('cannot start', { role, ...explained(error) })
    await releasers.release()
    process.exitCode = EXIT_FAILED
    exitSoon()
  }
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (requested) process.exit(EXIT_FAILED)
      // `release` never rejects.
      void stop({ signal }, 0)
    })
  }
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
