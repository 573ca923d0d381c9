import type { Command } from 'commander'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { Config, Role } from '../../core/config/config.ts'
import { describeConfig, settingsHelp } from '../../core/config/config-text.ts'
import { createLog, type Log } from '../../core/log.ts'
import { createMetrics, type Metrics } from '../../core/metrics/metrics.ts'
import { createOpsServer, type Readiness } from '../../core/metrics/ops-server.ts'
import { createReleasers, type Releasers } from '../../core/releasers.ts'
import { packageVersion } from '../../core/version.ts'
import { commandConfig } from '../command.ts'
import { UsageError } from '../usage-error.ts'

/** Declares the command of a role; its help lists the settings. */
export function registerService(
  program: Command,
  command: {
    name: string
    role: Role
    description: string
    /** What is wrong with settings that a command may have and this service may not. */
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

/** What a role is built from and puts its resources into. */
export type ServiceContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly version: string
  /** Given back in reverse order at shutdown. */
  readonly releasers: Releasers
  /** Ends this process in order, with exit status 1: nobody has asked for it. */
  readonly endFailed: () => void
}

export type StartedService = {
  readonly unready: Readiness
  /** Shown with `ready`, e.g. the ports that were taken. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Printed for people when standard output is a terminal. */
  readonly banner?: () => string
}

const ADMIN_HOST = '127.0.0.1'
const EXIT_FAILED = 1

/**
 * Runs a role until a signal: builds it, serves the admin port, says `ready`, and on SIGTERM or
 * SIGINT gives everything back within SHUTDOWN_DEADLINE_MS and exits 0. A second signal exits 1 at
 * once. A fault that nobody handles ends the process with 1: it may hold anything half-done.
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

/** One sentence for the operator; a stack only where that is not enough to act on. */
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

/** The driver of Postgres says which statement failed: its text, without what is bound to it. */
function statementOf(error: unknown): string | undefined {
  const statement: unknown = error instanceof Error ? Reflect.get(error, 'query') : undefined
  return typeof statement === 'string' ? statement : undefined
}

/** Native handles may outlive their close; everything of ours has been given back. */
function exitSoon(): void {
  systemClock.after(100, () => process.exit())
}
