/**
 * Named places in the code at which a fault test makes a process crash, pause or fail. Inactive
 * unless the setting FAILPOINTS names them.
 */
import { type Clock, systemClock } from './clock.ts'
import { AppError } from './code.ts'
import { err, ok, type Result } from './result.ts'

export type FailpointName =
  /** Before a claim is sent to the database. */
  | 'before-epoch-claim'
  /** After the epoch was raised, before anything else knows. */
  | 'after-claim-before-load'
  /** After changes of a shard have stopped, before its row is marked as released. */
  | 'mid-handoff'
  /** After the commit of a flush, before its callers are answered. */
  | 'after-insert-before-ack'
  /** After a batch is durable in the spill, before its callers are answered. */
  | 'after-spill-ack'
  /** After the commit of a spilled batch, before it is removed from the spill. */
  | 'before-drain-ack'
  /** After a check of an alert and its messages are written, before their commit. */
  | 'before-alert-commit'
  /** After that commit, before any of the messages is sent. */
  | 'after-alert-commit'
  /** After a turn of a subscription and its messages are written, before their commit. */
  | 'before-subscription-commit'
  /** After that commit, before any of the messages is sent. */
  | 'after-subscription-commit'

export type Failpoints = {
  /**
   * Resolves at once where no action is set. @throws {AppError} `unavailable` for an error action.
   */
  reach(name: FailpointName): Promise<void>
}

export const NO_FAILPOINTS: Failpoints = { reach: () => Promise.resolve() }

type Action =
  | { readonly kind: 'crash' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'error' }

type Failpoint = Action & {
  /** Acts only the n-th time, from 1; every time when absent. */
  readonly only: number | undefined
}

const NAMES: Readonly<Record<FailpointName, true>> = {
  'before-epoch-claim': true,
  'after-claim-before-load': true,
  'mid-handoff': true,
  'after-insert-before-ack': true,
  'after-spill-ack': true,
  'before-drain-ack': true,
  'before-alert-commit': true,
  'after-alert-commit': true,
  'before-subscription-commit': true,
  'after-subscription-commit': true,
}

/** Bound of a pause: longer than every deadline. */
const DELAY_MAX_MS = 600_000
const TIMES_MAX = 1_000_000

/**
 * Reads `after-spill-ack=crash,mid-handoff=delay:500,before-epoch-claim=error:3`: a crash is
 * SIGKILL to this process, a delay is in milliseconds, an error is `unavailable`. A last `:n` means
 * only the n-th time. Each name may be given once. The error text continues a sentence that starts
 * with the setting's name.
 */
export function failpointsOf(
  text: string,
  { clock = systemClock, crash = killSelf }: { clock?: Clock; crash?: () => void } = {},
): Result<Failpoints, string> {
  const points = new Map<string, Failpoint>()
  for (const item of text.split(',').map((each) => each.trim())) {
    if (item === '') continue
    const [name = '', ...rest] = item.split('=')
    if (!Object.hasOwn(NAMES, name)) {
      return err(`must name one of ${Object.keys(NAMES).join(', ')}, not ${name.slice(0, 60)}`)
    }
    if (points.has(name)) return err(`must not name ${name} twice`)
    const point = parseAction(rest.join('='))
    if (point === undefined) {
      return err(`must say crash, delay:MS or error after ${name}=, each with :n or without`)
    }
    points.set(name, point)
  }
  return ok(points.size === 0 ? NO_FAILPOINTS : armed(points, clock, crash))
}

function parseAction(text: string): Failpoint | undefined {
  const [kind, ...numbers] = text.split(':')
  if (!numbers.every((number) => /^\d{1,9}$/.test(number))) return undefined
  const values = numbers.map(Number)
  const ms = kind === 'delay' ? values.shift() : 0
  const [only, ...rest] = values
  if (ms === undefined || ms > DELAY_MAX_MS || rest.length > 0) return undefined
  if (only !== undefined && (only < 1 || only > TIMES_MAX)) return undefined
  switch (kind) {
    case 'crash':
    case 'error':
      return { kind, only }
    case 'delay':
      return { kind, ms, only }
    default:
      return undefined
  }
}

function armed(
  points: ReadonlyMap<string, Failpoint>,
  clock: Clock,
  crash: () => void,
): Failpoints {
  const reached = new Map<string, number>()
  return {
    async reach(name) {
      const point = points.get(name)
      if (point === undefined) return
      const times = (reached.get(name) ?? 0) + 1
      reached.set(name, times)
      if (point.only !== undefined && point.only !== times) return
      switch (point.kind) {
        case 'crash':
          crash()
          // Waits for the signal: nothing else may happen in this process.
          return new Promise(() => {})
        case 'delay':
          return clock.sleep(point.ms)
        case 'error':
          throw new AppError('unavailable', `failpoint ${name}`)
        default:
          return point satisfies never
      }
    },
  }
}

function killSelf(): void {
  process.kill(process.pid, 'SIGKILL')
}
