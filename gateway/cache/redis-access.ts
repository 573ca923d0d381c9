import { backoffMs, halfJitter } from '../../src/core/backoff.ts'
import { afterIo, type Clock } from '../../src/core/clock.ts'
import {
  REDIS_COMMAND_MS,
  REDIS_CONNECT_MS,
  REDIS_PENDING_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { Outages, type OutageWords, type Steadiness } from '../../src/core/logging/outages.ts'
import type { RedisCommand, RedisLink, RedisOutcome } from './redis-link.ts'

/** Half to all of this before the next attempt; doubles, up to `REDIS_RECONNECT_MAX_MS`. */
export const REDIS_RECONNECT_MS = 200
export const REDIS_RECONNECT_MAX_MS = 5_000
/** So many batches in a row that were late or failed, and no command is sent for a while. */
export const REDIS_FAILURES_MAX = 5
/** Duration of that pause: half to all of it; doubles with each failed probe, up to the second. */
export const REDIS_PAUSE_MS = 1_000
export const REDIS_PAUSE_MAX_MS = 10_000
/** Probes in a row that fail before the connection is given up for a new one. */
export const REDIS_PROBES_MAX = 3

/**
 * Access to a Redis server that may hang, refuse or be away. No caller waits longer than the budget
 * of its commands, and nothing is sent while the server is in doubt.
 *
 * States: `connecting` (an attempt, ended by REDIS_CONNECT_MS), `resting` (until the next one),
 * `up`, `paused` (connected and not trusted: probed now and then, and left for a new connection
 * after REDIS_PROBES_MAX), `closed`. Every connection and every pause ends in a probe that reads
 * which run of the server answers, so that a server that lost or restored its data is a different
 * one.
 */
export type RedisAccess = {
  /** Names the run of the server that may be asked; empty when none may. Cheap to read. */
  run(): string
  /**
   * Replies in order, an `Error` among them for a command that failed alone; `undefined` when they
   * were late, refused or not sent. They may have had their effect then. Never rejects.
   */
  exec(commands: readonly RedisCommand[], wait: RedisWait): Promise<RedisReplies | undefined>
  /** `unsteady` while it serves and failed more than once in the last minute. */
  status(): Steadiness
  close(): Promise<void>
}

export type RedisReplies = readonly unknown[]

export type RedisWait = {
  readonly budgetMs: number
  /**
   * True judges when the time is over. Else answers that have come by then, while this process was
   * busy with something else, are read first.
   */
  readonly strict: boolean
}

export type RedisTrouble =
  | 'late'
  | 'failed'
  | 'refused'
  /** Not sent: the server is away or paused, or too much waits for it. */
  | 'skipped'
  /** Counts how often the server was paused. */
  | 'paused'

export type RedisAccessDeps = {
  readonly open: () => RedisLink
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly count: (trouble: RedisTrouble) => void
}

type Up = { readonly kind: 'up'; readonly link: RedisLink; readonly run: string; failures: number }
type Paused = { readonly kind: 'paused'; readonly link: RedisLink; probes: number }
type State =
  | { readonly kind: 'connecting'; readonly link: RedisLink }
  | { readonly kind: 'resting' }
  | Up
  | Paused
  | { readonly kind: 'closed' }

const WORDS: OutageWords = {
  level: 'warn',
  away: 'redis does not serve: going on without its cache',
  back: 'redis serves again',
}

/** Overhead of a command in queues beside its text. */
const COMMAND_BYTES = 256
/** Refusals of one command, or for want of memory: reads still work. */
const REFUSED_ALONE = /^(?:OOM|WRONGTYPE|EXECABORT)/

/** Connects at once, in the background. */
export function createRedisAccess(deps: RedisAccessDeps): RedisAccess {
  return new GuardedRedis(deps)
}

class GuardedRedis implements RedisAccess {
  readonly #deps: RedisAccessDeps
  #state: State = { kind: 'resting' }
  /** Every state has at most one timer. */
  #cancelTimer = () => {
    // Nothing is timed yet.
  }
  /** Connections that failed since the last one that served. */
  #attempts = 0
  /** Bytes of commands that were sent and not answered. */
  #pendingBytes = 0
  readonly #outages: Outages

  constructor(deps: RedisAccessDeps) {
    this.#deps = deps
    this.#outages = new Outages(deps, WORDS)
    this.#connect()
  }

  run(): string {
    return this.#state.kind === 'up' ? this.#state.run : ''
  }

  status(): Steadiness {
    return this.#state.kind === 'up' ? this.#outages.state : 'down'
  }

  exec(commands: readonly RedisCommand[], wait: RedisWait): Promise<RedisReplies | undefined> {
    const bytes = bytesOf(commands)
    const up = this.#state
    if (up.kind !== 'up' || this.#pendingBytes + bytes > REDIS_PENDING_BYTES_MAX) {
      this.#deps.count('skipped')
      return Promise.resolve(undefined)
    }
    this.#pendingBytes += bytes
    return new Promise((resolve) => this.#send(up, commands, bytes, wait, resolve))
  }

  async close(): Promise<void> {
    this.#cancelTimer()
    const link = 'link' in this.#state ? this.#state.link : undefined
    this.#state = { kind: 'closed' }
    link?.close()
  }

  /** Calls `resolve` once: with the replies, or with `undefined` when the budget is over. */
  #send(
    up: Up,
    commands: readonly RedisCommand[],
    bytes: number,
    { budgetMs, strict }: RedisWait,
    resolve: (replies: RedisReplies | undefined) => void,
  ): void {
    const { clock, count } = this.#deps
    let open = true
    const settle = (replies: RedisReplies | undefined) => {
      open = false
      cancel()
      resolve(replies)
    }
    const late = () => {
      if (!open) return
      count('late')
      this.#failed(up, 'late')
      settle(undefined)
    }
    const cancel = clock.after(budgetMs, strict ? late : () => afterIo(late))
    const onOutcome = (outcome: RedisOutcome) => {
      this.#pendingBytes -= bytes
      if (!open) return // The caller has gone on without the replies.
      if (outcome.kind === 'replies') {
        up.failures = 0
        return settle(outcome.replies)
      }
      count('refused')
      if (!REFUSED_ALONE.test(outcome.reason)) this.#pause(up, outcome.reason)
      settle(undefined)
    }
    up.link.exec(commands).then(onOutcome, (error: unknown) => {
      this.#pendingBytes -= bytes
      if (!open) return
      count('failed')
      this.#failed(up, error instanceof Error ? error.message : 'failed')
      settle(undefined)
    })
  }

  #connect(): void {
    const link = this.#deps.open()
    this.#state = { kind: 'connecting', link }
    this.#timed(REDIS_CONNECT_MS, () => this.#lose(link, 'no answer in time'))
    void link.ended.then((reason) => this.#lose(link, reason.message))
    void link.ready.then(
      () => this.#identify(link),
      () => undefined, // `ended` says why.
    )
  }

  async #identify(link: RedisLink): Promise<void> {
    const answer = await runOf(link)
    if (this.#state.kind !== 'connecting' || this.#state.link !== link) return
    if (answer.run === '') this.#lose(link, answer.reason)
    else this.#rise(link, answer.run)
  }

  #rise(link: RedisLink, run: string): void {
    this.#cancelTimer()
    this.#attempts = 0
    this.#state = { kind: 'up', link, run, failures: 0 }
    this.#outages.back()
  }

  #lose(link: RedisLink, reason: string): void {
    if (!('link' in this.#state) || this.#state.link !== link) return
    this.#state = { kind: 'resting' }
    link.close()
    this.#outages.away({ reason })
    const ms = this.#pauseMs(REDIS_RECONNECT_MS, REDIS_RECONNECT_MAX_MS, this.#attempts++)
    this.#timed(ms, () => this.#connect())
  }

  #failed(up: Up, reason: string): void {
    up.failures++
    if (up.failures >= REDIS_FAILURES_MAX) this.#pause(up, reason)
  }

  #pause(up: Up, reason: string): void {
    if (this.#state !== up) return
    this.#deps.count('paused')
    this.#outages.away({ reason })
    const paused: Paused = { kind: 'paused', link: up.link, probes: 0 }
    this.#state = paused
    this.#timed(this.#pauseMs(REDIS_PAUSE_MS, REDIS_PAUSE_MAX_MS, 0), () => {
      void this.#probe(paused)
    })
  }

  async #probe(paused: Paused): Promise<void> {
    let judged = false
    const judge = (answer: RunAnswer) => {
      if (judged || this.#state !== paused) return
      judged = true
      if (answer.run !== '') return this.#rise(paused.link, answer.run)
      paused.probes++
      if (paused.probes >= REDIS_PROBES_MAX) return this.#lose(paused.link, answer.reason)
      const ms = this.#pauseMs(REDIS_PAUSE_MS, REDIS_PAUSE_MAX_MS, paused.probes)
      this.#timed(ms, () => void this.#probe(paused))
    }
    this.#timed(REDIS_COMMAND_MS, () => afterIo(() => judge({ run: '', reason: 'late' })))
    judge(await runOf(paused.link))
  }

  #timed(ms: number, run: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#deps.clock.after(ms, run)
  }

  /** Doubles up to a bound, with jitter: half of it to all of it. */
  #pauseMs(fromMs: number, maxMs: number, doublings: number): number {
    return halfJitter(backoffMs({ firstMs: fromMs, maxMs }, doublings + 1), this.#deps.random)
  }
}

type RunAnswer = { readonly run: string; readonly reason: string }

/** Never rejects. */
async function runOf(link: RedisLink): Promise<RunAnswer> {
  try {
    const outcome = await link.exec([['INFO']])
    if (outcome.kind === 'refused') return { run: '', reason: outcome.reason }
    return readRun(outcome.replies[0])
  } catch (error) {
    return { run: '', reason: error instanceof Error ? error.message : 'failed' }
  }
}

function bytesOf(commands: readonly RedisCommand[]): number {
  let bytes = 0
  for (const command of commands) {
    bytes += COMMAND_BYTES
    for (const text of command) bytes += text.length
  }
  return bytes
}

/** The run of a server, or why the server must not be used. */
type RedisRun = { readonly run: string; readonly reason: string }

/**
 * Reads the answer to INFO. The run id changes with every restart and failover: the data may then
 * be older than acknowledged deletions. A replica may be behind them at any time, so it is refused.
 */
function readRun(info: unknown): RedisRun {
  if (typeof info !== 'string') return { run: '', reason: 'INFO is refused' }
  if (field(info, 'loading') === '1') return { run: '', reason: 'it is loading its data' }
  const role = field(info, 'role')
  if (role !== 'master') return { run: '', reason: `it is a ${role || 'server without a role'}` }
  const run = field(info, 'run_id')
  return run === '' ? { run, reason: 'INFO names no run' } : { run, reason: '' }
}

function field(info: string, name: string): string {
  return new RegExp(`^${name}:(\\S+)\\s*$`, 'm').exec(info)?.[1] ?? ''
}
