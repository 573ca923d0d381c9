/** Composition root of the command line: one file a command, one line here. */
import { Command, CommanderError } from 'commander'
import { AppError } from '../core/code.ts'
import { packageVersion } from '../core/version.ts'
import { UsageError } from './usage-error.ts'

type Register = (program: Command) => void

/** In the order of `--help`. One is loaded when it is asked for: all of them take most of a second. */
const COMMANDS: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ['start', async () => (await import('./service/start.ts')).registerStart],
  ['postgres', async () => (await import('./service/postgres.ts')).registerPostgres],
  ['gateway', async () => (await import('./service/gateway.ts')).registerGateway],
  ['worker', async () => (await import('./service/worker.ts')).registerWorker],
  ['migrate', async () => (await import('./data/migrate.ts')).registerMigrate],
  ['status', async () => (await import('./operator/status.ts')).registerStatus],
  ['drain', async () => (await import('./operator/drain.ts')).registerDrain],
  ['spill', async () => (await import('./operator/spill.ts')).registerSpill],
  ['deadletter', async () => (await import('./operator/deadletter.ts')).registerDeadLetter],
  ['backup', async () => (await import('./data/backup.ts')).registerBackup],
  ['restore', async () => (await import('./data/restore.ts')).registerRestore],
  ['admin', async () => (await import('./operator/admin.ts')).registerAdmin],
  ['plugin', async () => (await import('./plugin/plugin.ts')).registerPlugin],
  ['bench', async () => (await import('./bench.ts')).registerBench],
])

const EXIT_FAILED = 1
const EXIT_USAGE = 2

/**
 * Runs one command line, program name excluded, and sets the exit status: 0, 1 (failed), 2 (usage).
 * Never rejects. The process ends by itself once the command has given back what it held.
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(args[0])
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}

/** With the command named, or with all of them: for help, and to say which a wrong one is like. */
async function createProgram(name: string | undefined): Promise<Command> {
  const program = new Command('sluice')
    .description('Product analytics and feature flags of your own')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
  const named = COMMANDS.get(name ?? '')
  const loads = named === undefined ? [...COMMANDS.values()] : [named]
  for (const register of await Promise.all(loads.map((load) => load()))) register(program)
  return program
}

/** Commander has printed its own; others get one line, and the cause when it is a bug's. */
function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  process.stderr.write(`sluice: ${describe(error)}\n`)
  return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UsageError) return error.message
  if (!(error instanceof AppError)) return error.stack ?? error.message
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
