/** `sluice tail`: prints the events of a project as they are stored. */
import type { Command } from 'commander'
import { wholeNumber } from '../../../bench/load/plan/option-parsers.ts'
import { listEvents } from '../../../gateway/client/calls.ts'
import { ApiError, type Client } from '../../../gateway/client/runtime.ts'
import type { ListEventsInput } from '../../../gateway/client/types.ts'
import { backoffMs, halfJitter } from '../../core/backoff.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { environment } from '../../core/config/config.ts'
import { listOf } from '../../core/json.ts'
import { printable } from '../../core/telling/printable.ts'
import { commandConfig, commandLog } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { createEventTail, type StoredEvents, type TailedEvent } from './event-tail.ts'
import { clientAt, keyOf, unreachable, urlOf } from './instance-place.ts'

const HELP = `
Examples:
  sluice tail
  sluice tail --event paid --lines 0
  sluice tail --json | jq .properties.plan
  sluice tail --url https://sluice.example.com --project 3

It asks the list of events once a second, and shows each event once. Events that are dated more than
an hour before they are stored are not shown. Without --url it asks HOST and PORT of this machine;
without --key it uses the first personal key of DATA_DIR. Lines are JSON where standard output is no
terminal. Ctrl-C ends it.`

const INTERVAL_MS = 1_000
const RETRY = { firstMs: 1_000, maxMs: 30_000 }

type TailOptions = {
  readonly event?: string
  readonly distinctId?: string
  readonly project: string
  readonly lines: number
  readonly count?: number
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

export function registerTail(program: Command): void {
  program
    .command('tail')
    .description('print the events of a project as they are stored')
    .option('--event <name>', 'only events of this name')
    .option('--distinct-id <id>', 'only events of this distinct id')
    .option('--project <id>', 'id of the project', '@current')
    .option('--lines <n>', 'events of the last hour to begin with', wholeNumber(0, 10_000), 10)
    .option('--count <n>', 'end after this many events', wholeNumber(1, 1_000_000_000))
    .option('--url <url>', 'URL of the server')
    .option('--key <key>', 'personal API key; better in SLUICE_API_KEY')
    .option('--json', 'print JSON lines')
    .addHelpText('after', HELP)
    .action((options: TailOptions) => interruptible((signal) => tail(options, signal)))
}

async function tail(options: TailOptions, interrupted: AbortSignal): Promise<void> {
  const output = createOutput(options)
  const signal = AbortSignal.any([interrupted, output.lost])
  const config = commandConfig()
  const url = urlOf(options.url, config)
  const given = options.key ?? environment()['SLUICE_API_KEY']
  const client = clientAt(url, await keyOf('personalApiKey', given, config))
  const follower = createEventTail(storedEvents(client, options, signal))
  try {
    output.print(await untilAnswered(() => follower.begin(options.lines), url, signal))
    while (!output.isDone()) {
      await systemClock.sleep(INTERVAL_MS, signal)
      output.print(await untilAnswered(() => follower.look(), url, signal))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** A server that is away is told once, and asked again until it answers. */
async function untilAnswered<T>(
  ask: () => Promise<T>,
  url: string,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      signal.throwIfAborted()
      const { failure, waitMs } = judged(error, url, attempt)
      if (waitMs === undefined) throw failure
      if (attempt === 1) commandLog('warn').warn('asking again', { reason: failure.message })
      await systemClock.sleep(waitMs, signal)
    }
  }
}

/** @returns no wait for a failure that does not heal itself. */
function judged(
  error: unknown,
  url: string,
  attempt: number,
): { failure: Error; waitMs: number | undefined } {
  const backoff = halfJitter(backoffMs(RETRY, attempt), Math.random)
  if (!(error instanceof ApiError)) return { failure: unreachable(url, error), waitMs: backoff }
  const failure = new AppError('failed_precondition', `${error.message} (${error.status})`)
  const heals = error.status === 429 || error.status >= 500
  return {
    failure,
    waitMs: heals ? Math.max(backoff, (error.retryAfterS ?? 0) * 1_000) : undefined,
  }
}

const COLUMNS = ['uuid', 'created_at', 'event', 'distinct_id', 'timestamp', 'properties']

/** The window moves with the clock. Events that are dated ahead are stored now all the same. */
const WINDOW_MS = 3_600_000
const NO_END = '2200-01-01T00:00:00Z'

function storedEvents(
  client: Client,
  { project, event, distinctId }: TailOptions,
  signal: AbortSignal,
): StoredEvents {
  const ask = async (more: Partial<ListEventsInput>) => {
    const input = {
      project_id: project,
      select: COLUMNS,
      after: new Date(systemClock.now() - WINDOW_MS).toISOString(),
      before: NO_END,
      ...(event === undefined ? {} : { event }),
      ...(distinctId === undefined ? {} : { distinct_id: distinctId }),
      ...more,
    }
    const { results } = await listEvents(client, input, { signal })
    return listOf(results).map((row) => toEvent(listOf(row).map(String)))
  }
  return {
    from: (since, page) =>
      ask({
        orderBy: JSON.stringify(['created_at', 'uuid']),
        ...(since === undefined ? {} : { where: [`created_at >= toDateTime('${since}')`] }),
        ...page,
      }),
    newest: (limit) => ask({ orderBy: JSON.stringify(['-created_at', '-uuid']), limit }),
  }
}

function toEvent(cells: readonly string[]): TailedEvent {
  const [uuid = '', storedAt = '', event = '', distinctId = '', timestamp = '', properties = ''] =
    cells
  return { uuid, storedAt, event, distinctId, timestamp, properties }
}

function createOutput({ json, count = Number.POSITIVE_INFINITY }: TailOptions) {
  const isText = json !== true && process.stdout.isTTY
  let left = count
  // As with `sluice tail | head`: the reader has what it wanted.
  const lost = new AbortController()
  process.stdout.on('error', () => lost.abort())
  return {
    lost: lost.signal,
    isDone: () => left <= 0,
    print(events: readonly TailedEvent[]) {
      const shown = events.slice(0, left)
      left -= shown.length
      const lines = shown.map((each) => `${isText ? eventLine(each) : eventJson(each)}\n`)
      if (lines.length > 0) process.stdout.write(lines.join(''))
    },
  }
}

export function eventJson({ storedAt, distinctId, properties, ...rest }: TailedEvent): string {
  const { uuid, event, timestamp } = rest
  const head = JSON.stringify({
    uuid,
    event,
    distinct_id: distinctId,
    timestamp,
    stored_at: storedAt,
  })
  // Numbers stay as they were sent: the properties are JSON already.
  return `${head.slice(0, -1)},"properties":${properties}}`
}

export function eventLine({ event, distinctId, timestamp, properties }: TailedEvent): string {
  const at = timestamp.replace('T', ' ').replace(/\..*$/, '')
  return [at, event, distinctId, properties].map(printable).join('  ')
}
