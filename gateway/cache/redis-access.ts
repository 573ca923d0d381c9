import { afterIo, type Clock } from '../../src/core/clock.ts'
import {
  REDIS_COMMAND_MS,
  REDIS_CONNECT_MS,
  REDIS_FAILURES_MAX,
  REDIS_PAUSE_MAX_MS,
  REDIS_PAUSE_MS,
  REDIS_PENDING_BYTES_MAX,
  REDIS_PROBES_MAX,
  REDIS_RECONNECT_MAX_MS,
  REDIS_RECONNECT_MS,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { RedisCommand, RedisLink, RedisOutcome } from './redis-link.ts'
import { readRun } from './redis-run.ts'

/**
 * A Redis server that may hang, refuse or be away without anybody waiting for it: every batch of
 * commands has a budget, and while the server is in doubt nothing is sent at all.
 *
 * States: `connecting` (an attempt, ended by REDIS_CONNECT_MS), `resting` (until the next one), `up`,
 * `paused` (connected and not trusted: probed now and then, and left for a new connection after
 * REDIS_PROBES_MAX), `closed`. Every connection and every pause ends in a probe that reads which
 * run of the server answers, so that a server that lost or restored its data is a different one.
 */
export type RedisAccess = {
  /** Names the run of the server that may be asked; empty when none may. Cheap to read. */
  run(): string
  /**
   * Replies in order, an `Error` among them for a command that failed alone; `undefined` when they
   * were late, refused or not sent. They may have had their effect then. Never rejects.
   */
  exec(commands: readonly RedisCommand[], wait: RedisWait): Promise<RedisReplies | undefined>
  status(): 'up' | 'down'
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
  /** Times at which the server was paused. */
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

/** What a command takes in queues beside its text. */
const COMMAND_BYTES = 256
/** Refusals that say something of one command only, or of memory: reads still work. */
const REFUSED_ALONE = /^(?:OOM|WRONGTYPE|EXECABORT)/

export function createRedisAccess(deps: RedisAccessDeps): RedisAccess {
  const { clock, log, count } = deps
  let state: State = { kind: 'resting' }
  let cancelTimer = () => {
    // Nothing is timed yet.
  }
  let attempts = 0
  let pendingBytes = 0
  let warned = false

  /** Every state has at most one timer. */
  const timed = (ms: number, run: () => void) => {
    cancelTimer()
    cancelTimer = clock.after(ms, run)
  }
  const pauseOf = (fromMs: number, maxMs: number, doublings: number) =>
    Math.min(fromMs * 2 ** doublings, maxMs) * (0.5 + deps.random() / 2)
  const warn = (reason: string) => {
    if (warned) return
    warned = true
    log.warn('redis does not serve: going on without its cache', { reason })
  }

  const connect = () => {
    const link = deps.open()
    state = { kind: 'connecting', link }
    timed(REDIS_CONNECT_MS, () => lose(link, 'no answer in time'))
    void link.ended.then((reason) => lose(link, reason.message))
    void link.ready.then(
      () => identify(link),
      () => undefined, // `ended` says why.
    )
  }
  const identify = async (link: RedisLink) => {
    const answer = await runOf(link)
    if (state.kind !== 'connecting' || state.link !== link) return
    if (answer.run === '') lose(link, answer.reason)
    else rise(link, answer.run)
  }
  const rise = (link: RedisLink, run: string) => {
    cancelTimer()
    attempts = 0
    state = { kind: 'up', link, run, failures: 0 }
    if (warned) log.info('redis serves again')
    warned = false
  }
  const lose = (link: RedisLink, reason: string) => {
    if (!('link' in state) || state.link !== link) return
    state = { kind: 'resting' }
    link.close()
    warn(reason)
    timed(pauseOf(REDIS_RECONNECT_MS, REDIS_RECONNECT_MAX_MS, attempts++), connect)
  }

  const pause = (up: Up, reason: string) => {
    if (state !== up) return
    count('paused')
    warn(reason)
    const paused: Paused = { kind: 'paused', link: up.link, probes: 0 }
    state = paused
    timed(pauseOf(REDIS_PAUSE_MS, REDIS_PAUSE_MAX_MS, 0), () => void probe(paused))
  }
  const probe = async (paused: Paused) => {
    let judged = false
    const judge = (answer: RunAnswer) => {
      if (judged || state !== paused) return
      judged = true
      if (answer.run !== '') return rise(paused.link, answer.run)
      paused.probes++
      if (paused.probes >= REDIS_PROBES_MAX) return lose(paused.link, answer.reason)
      const ms = pauseOf(REDIS_PAUSE_MS, REDIS_PAUSE_MAX_MS, paused.probes)
      timed(ms, () => void probe(paused))
    }
    timed(REDIS_COMMAND_MS, () => afterIo(() => judge({ run: '', reason: 'late' })))
    judge(await runOf(paused.link))
  }

  const failed = (up: Up, reason: string) => {
    up.failures++
    if (up.failures >= REDIS_FAILURES_MAX) pause(up, reason)
  }

  connect()
  return {
    run: () => (state.kind === 'up' ? state.run : ''),
    status: () => (state.kind === 'up' ? 'up' : 'down'),
    exec(commands, { budgetMs, strict }) {
      const bytes = bytesOf(commands)
      if (state.kind !== 'up' || pendingBytes + bytes > REDIS_PENDING_BYTES_MAX) {
        count('skipped')
        return Promise.resolve(undefined)
      }
      const up = state
      pendingBytes += bytes
      return new Promise((resolve) => {
        let open = true
        const settle = (replies: RedisReplies | undefined) => {
          open = false
          cancel()
          resolve(replies)
        }
        const late = () => {
          if (!open) return
          count('late')
          failed(up, 'late')
          settle(undefined)
        }
        const cancel = clock.after(budgetMs, strict ? late : () => afterIo(late))
        const onOutcome = (outcome: RedisOutcome) => {
          pendingBytes -= bytes
          if (!open) return // Its asker has gone on without it.
          if (outcome.kind === 'replies') {
            up.failures = 0
            return settle(outcome.replies)
          }
          count('refused')
          if (!REFUSED_ALONE.test(outcome.reason)) pause(up, outcome.reason)
          settle(undefined)
        }
        up.link.exec(commands).then(onOutcome, (error: unknown) => {
          pendingBytes -= bytes
          if (!open) return
          count('failed')
          failed(up, error instanceof Error ? error.message : 'failed')
          settle(undefined)
        })
      })
    },
    async close() {
      cancelTimer()
      const link = 'link' in state ? state.link : undefined
      state = { kind: 'closed' }
      link?.close()
    },
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
