/** `sluice tail`: prints the events of a project as they are stored. */
import type { Command } from 'commander'
import { wholeNumber } from '../../../bench/load/plan/option-parsers.ts'
import { ApiError } from '../../../gateway/client/runtime.ts'
import { backoffMs, halfJitter } from '../../core/backoff.ts'
import { systemClock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { environment } from '../../core/config/config.ts'
import { own } from '../../core/json.ts'
import { commandLog, serverConfig } from '../command.ts'
import { interruptible } from '../command-end.ts'
import { createEventTail, type EventTail } from './event-tail.ts'
import { clientAt, keyOf, unreachable, urlOf } from './instance-place.ts'
import { createTailOutput, type TailOutput } from './tail-output.ts'
import { createTailSource, type TailSource } from './tail-source.ts'

const HELP = `
Examples:
  sluice tail
  sluice tail --event paid --lines 0
  sluice tail --json | jq .properties.plan
  sluice tail --url https://sluice.example.com --project 3

It reads the stream of live events, and shows each event once. What the stream misses, as in more
than 100 events a second or while the server is away, is looked for in the list of events: there,
events that are dated more than an hour back are not found. It takes one of the few streams of a
user. Without --url it asks HOST and PORT of this machine; without --key it uses the first personal
key of DATA_DIR. Lines are JSON where standard output is no terminal. Ctrl-C ends it.`

const RETRY = { firstMs: 2_000, maxMs: 30_000 }

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
  const output = createTailOutput(options)
  const signal = AbortSignal.any([interrupted, output.lost])
  const config = serverConfig()
  const url = urlOf(options.url, config)
  const given = options.key ?? environment()['SLUICE_API_KEY']
  const client = clientAt(url, await keyOf('personalApiKey', given, config))
  const source = createTailSource(client, options, signal)
  try {
    await follow({ source, output, url, signal, lines: options.lines })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

type Following = {
  readonly source: TailSource
  readonly output: TailOutput
  readonly url: string
  readonly signal: AbortSignal
  readonly lines: number
}

/**
 * Reads one stream after the other. An unreachable server is reported once, and retried until it
 * answers.
 */
async function follow({ source, output, url, signal, lines }: Following): Promise<void> {
  const events = createEventTail(source.list)
  let hasBegun = false
  let failures = 0
  let isCrowded = false
  const catchUp = async () => {
    output.print(await (hasBegun ? events.look() : events.begin(lines)))
    hasBegun = true
  }
  const onOpen = async () => {
    await catchUp()
    failures = 0
  }
  while (!output.isDone()) {
    try {
      // While the user has too many streams, the list is better than nothing.
      if (isCrowded) await catchUp()
      isCrowded = false
      const end = await readStream({ source, output, events, catchUp, onOpen })
      const waitMs = end === 'renew' ? 0 : halfJitter(RETRY.firstMs, Math.random)
      if (!output.isDone()) await systemClock.sleep(waitMs, signal)
    } catch (error) {
      signal.throwIfAborted()
      failures += 1
      isCrowded = error instanceof ApiError && error.status === 429
      const { failure, waitMs } = judged(error, url, failures)
      if (waitMs === undefined) throw failure
      if (failures === 1) commandLog('warn').warn('asking again', { reason: failure.message })
      await systemClock.sleep(waitMs, signal)
    }
  }
}

type Reading = Pick<Following, 'source' | 'output'> & {
  readonly events: EventTail
  /** Shows events of the list that were not shown. */
  readonly catchUp: () => Promise<void>
  readonly onOpen: () => Promise<void>
}

/**
 * Shows the events of one stream, until enough were shown or it ends.
 * @returns `renew` when the next one may follow at once.
 */
async function readStream({ source, output, events, ...on }: Reading): Promise<string> {
  for await (const message of source.live()) {
    switch (message.event) {
      case 'open':
        await on.onOpen()
        break
      case 'event': {
        const event = await source.eventOf(message)
        if (events.take(event)) output.print([event])
        break
      }
      case 'dropped':
        // A flush whose outcome is unknown may end later: the next stream begins after it.
        if (own(message.data, 'dropped') === null) return 'gap'
        await on.catchUp()
        break
      case 'bye':
        return String(own(message.data, 'reason'))
      default:
    }
    if (output.isDone()) break
  }
  return 'end'
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
