/** The command line: each command has a file of its own and one line here. */
import { Command, CommanderError } from 'commander'
import { AppError } from '../core/code.ts'
import { packageVersion } from '../core/package-root.ts'
import { EXIT_READER_GONE, isForLackOfReader, letReadersLeave, UsageError } from './command-end.ts'
import { unknownCommand } from './suggest.ts'
import { asTyped, typedName } from './typed-name.ts'

type Register = (program: Command) => void

/** In the order of `--help`. Only the command that runs is loaded: all take most of a second. */
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
  ['person', async () => (await import('./privacy/person.ts')).registerPerson],
  ['events', async () => (await import('./privacy/events.ts')).registerEvents],
  ['plugin', async () => (await import('./plugin/plugin.ts')).registerPlugin],
  ['send', async () => (await import('./events/send.ts')).registerSend],
  ['tail', async () => (await import('./events/tail.ts')).registerTail],
  ['query', async () => (await import('./events/query.ts')).registerQuery],
  ['demo', async () => (await import('./demo/demo.ts')).registerDemo],
  ['bench', async () => (await import('./bench.ts')).registerBench],
])

const EXIT_FAILED = 1
const EXIT_USAGE = 2

/**
 * Runs one command line, program name excluded, and sets the exit status: 0, 1 (failed), 2 (usage),
 * 141 (the reader of its output left). Never rejects. The process ends by itself once the command
 * has given back what it held.
 */
export async function main(args: readonly string[]): Promise<void> {
  letReadersLeave()
  try {
    const program = await createProgram(args[0])
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    process.exitCode = reportFailure(error) || process.exitCode
  }
}

/**
 * Has the command of this name, none for the version, or all commands for help. Sub-commands have
 * the same output.
 */
async function createProgram(name: string | undefined): Promise<Command> {
  const called = typedName()
  const program = new Command(called)
    .description('Self-hosted product analytics and feature flags')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for more)')
    .configureOutput({
      writeOut: (text) => process.stdout.write(asTyped(text, called)),
      writeErr: (text) => process.stderr.write(asTyped(text, called)),
    })
  const named = COMMANDS.get(name ?? '')
  if (named === undefined && name !== undefined && /^[a-z]/.test(name) && name !== 'help') {
    throw new UsageError(unknownCommand(name, [...COMMANDS.keys()]))
  }
  const isVersion = name === '--version' || name === '-V'
  const loads = named !== undefined ? [named] : isVersion ? [] : [...COMMANDS.values()]
  for (const register of await Promise.all(loads.map((load) => load()))) register(program)
  return program
}

/** Prints a failure in one line, with its stack when it is a bug. Commander has printed its own. */
function reportFailure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  if (isForLackOfReader(error)) return EXIT_READER_GONE
  process.stderr.write(`sluice: ${asTyped(describe(error))}\n`)
  return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UsageError) return error.message
  if (!(error instanceof AppError)) return error.stack ?? error.message
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
