import type { Command } from 'commander'
import { systemClock } from '../core/clock.ts'
import type { Config, Role } from '../core/config.ts'
import { describeConfig, settingsHelp } from '../core/config-text.ts'
import { createLog, type Log } from '../core/log.ts'
import { createMetrics, type Metrics } from '../core/metrics.ts'
import { createOpsServer, type Readiness } from '../core/ops-server.ts'
import { createReleasers, type Releasers } from '../core/releasers.ts'
import { packageVersion } from '../core/version.ts'
import { commandConfig } from './command.ts'

/** Declares the command of a role; its help lists the settings. */
export function registerService(
  program: Command,
  command: { name: string; role: Role; description: string },
  build: (context: ServiceContext) => Promise<StartedService>,
): void {
  program
    .command(command.name)
    .description(command.description)
    .addHelpText('after', `\n${settingsHelp(command.role)}`)
    .action(() => runService(command.role, build))
}

/** What a role is built from and puts its resources into. */
export type ServiceContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  readonly version: string
  /** Given back in reverse order at shutdown. */
  readonly releasers: Releasers
}

export type StartedService = {
  readonly unready: Readiness
  /** Shown with `ready`, e.g. the ports that were taken. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Printed for people when standard output is a terminal. */
  readonly banner?: () => string
}

const ADMIN_HOST = '127.0.0.1'
/** Read and checked, for what comes next. */
const NOT_YET = ['natsUrl', 'redisUrl'] as const
const EXIT_FAILED = 1

/**
 * Runs a role until a signal: builds it, serves the admin port, says `ready`, and on SIGTERM or
 * SIGINT gives everything back within SHUTDOWN_DEADLINE_MS and exits 0. A second signal exits 1 at
 * once. A fault that nobody handles ends the process with 1: it may hold anything half-done.
 */
async function runService(
  role: Role,
  build: (context: ServiceContext) => Promise<StartedService>,
): Promise<void> {
  const config = commandConfig(role)
  const log = createLog({ level: config.logLevel })
  const metrics = createMetrics()
  const releasers = createReleasers(log)
  const stop = stopOnSignals(config, log, releasers)
  dieOfFaults(log)
  log.info('settings', describeConfig(role))
  for (const key of NOT_YET) {
    if (config[key] !== undefined) log.warn('setting has no effect in this version', { key })
  }
  try {
    const context = { config, log, metrics, version: packageVersion(), releasers }
    const service = await build(context)
    const ops = createOpsServer({ metrics, readiness: service.unready })
    const { port: adminPort } = await ops.listen(ADMIN_HOST, config.adminPort)
    releasers.push('admin port', () => ops.close())
    log.info('ready', { role, version: context.version, ...service.facts, adminPort })
    if (service.banner !== undefined && process.stdout.isTTY) {
      process.stdout.write(service.banner())
    }
  } catch (error) {
    if (stop.requested()) return
    log.error('cannot start', { role, error })
    await releasers.release()
    process.exitCode = EXIT_FAILED
    exitSoon()
  }
}

function stopOnSignals(
  config: Config,
  log: Log,
  releasers: Releasers,
): { requested: () => boolean } {
  let requested = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (requested) process.exit(EXIT_FAILED)
    requested = true
    log.info('stopping', { signal, deadlineMs: config.shutdownDeadlineMs })
    systemClock.after(config.shutdownDeadlineMs, () => {
      log.error('not stopped in time')
      process.exit(EXIT_FAILED)
    })
    await releasers.release()
    log.info('stopped')
    process.exitCode = 0
    exitSoon()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // `release` never rejects.
    process.on(signal, () => void stop(signal))
  }
  return { requested: () => requested }
}

function dieOfFaults(log: Log): void {
  const die = (error: unknown) => {
    log.error('unhandled fault', { error })
    process.exit(EXIT_FAILED)
  }
  process.on('uncaughtException', die)
  process.on('unhandledRejection', die)
}

/** Native handles may outlive their close; everything of ours has been given back. */
function exitSoon(): void {
  systemClock.after(100, () => process.exit())
}
