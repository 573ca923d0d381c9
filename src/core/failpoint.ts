/**
 * Named places in the code at which a test of failures lets a process crash, pause or fail. Off
 * unless the setting FAILPOINTS names them.
 */
import { type Clock, systemClock } from './clock.ts'
import { AppError } from './code.ts'
import { err, ok, type Result } from './result.ts'

export type FailpointName =
  /** A claim is decided on, and the database has not been asked. */
  | 'before-epoch-claim'
  /** The epoch is raised, and nothing knows of it yet. */
  | 'after-claim-before-load'
  /** Changes of a shard have stopped, and its row is not marked as given back. */
  | 'mid-handoff'
  /** A flush is committed, and its callers have no answer. */
  | 'after-insert-before-ack'
  /** A batch is in the spill, and its callers have no answer. */
  | 'after-spill-ack'
  /** A batch of the spill is committed, and is still in the spill. */
  | 'before-drain-ack'

export type Failpoints = {
  /** Resolves where nothing is set. @throws {AppError} `unavailable` where an error is. */
  reach(name: FailpointName): Promise<void>
}

export const NO_FAILPOINTS: Failpoints = { reach: () => Promise.resolve() }

type Action =
  | { readonly kind: 'crash' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'error' }

type Failpoint = Action & {
  /** Only the time of this number, from 1; every time when there is none. */
  readonly only: number | undefined
}

const NAMES: Readonly<Record<FailpointName, true>> = {
  'before-epoch-claim': true,
  'after-claim-before-load': true,
  'mid-handoff': true,
  'after-insert-before-ack': true,
  'after-spill-ack': true,
  'before-drain-ack': true,
}

/** Longer pauses than any deadline are of no use. */
const DELAY_MAX_MS = 600_000
const TIMES_MAX = 1_000_000

/**
 * Reads `after-spill-ack=crash,mid-handoff=delay:500,before-epoch-claim=error:3`: a crash is SIGKILL
 * to this process, a delay is in milliseconds, an error is `unavailable`. A last `:n` means only the
 * n-th time. Each name may be given once. The error continues a sentence that the setting's name
 * begins.
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
          // The signal takes a moment, in which nothing more must happen here.
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
