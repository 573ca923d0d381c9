/** Composition root of the command line: one file a command, one line here. */
import { Command, CommanderError } from 'commander'
import { AppError } from '../core/code.ts'
import { packageVersion } from '../core/version.ts'
import { registerAdmin } from './admin.ts'
import { registerBackup } from './backup.ts'
import { registerBench } from './bench.ts'
import { registerDeadLetter } from './deadletter.ts'
import { registerDrain } from './drain.ts'
import { registerGateway } from './gateway.ts'
import { registerMigrate } from './migrate.ts'
import { registerPlugin } from './plugin.ts'
import { registerPostgres } from './postgres.ts'
import { registerRestore } from './restore.ts'
import { registerSpill } from './spill.ts'
import { registerStart } from './start.ts'
import { registerStatus } from './status.ts'
import { UsageError } from './usage-error.ts'
import { registerWorker } from './worker.ts'

const commands: readonly ((program: Command) => void)[] = [
  registerStart,
  registerPostgres,
  registerGateway,
  registerWorker,
  registerMigrate,
  registerStatus,
  registerDrain,
  registerSpill,
  registerDeadLetter,
  registerBackup,
  registerRestore,
  registerAdmin,
  registerPlugin,
  registerBench,
]

const EXIT_FAILED = 1
const EXIT_USAGE = 2

/**
 * Runs one command line, program name excluded, and sets the exit status: 0, 1 (failed), 2 (usage).
 * Never rejects. The process ends by itself once the command has given back what it held.
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    const program = createProgram()
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}

function createProgram(): Command {
  const program = new Command('sluice')
    .description('Product analytics and feature flags of your own')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
  for (const register of commands) register(program)
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
