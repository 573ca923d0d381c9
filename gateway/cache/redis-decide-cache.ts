import { createBoundedMap } from '../../src/core/bounded-map.ts'
import { afterIo } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import type { ProjectId, Revision } from '../../src/core/ids.ts'
import {
  DECIDE_ANSWER_CHARS_MAX,
  DECIDE_FORGET_IDS_MAX,
  DECIDE_FORGET_KEYS_MAX,
  DECIDE_QUESTIONS_MAX,
  REDIS_BATCH_COMMANDS_MAX,
  REDIS_COMMAND_MS,
  REDIS_FORGET_MS,
} from '../../src/core/limits/limits.ts'
import type {
  CachedAnswer,
  DecideCache,
  DecidePlace,
  DecideTicket,
  Looked,
  SharedTicket,
} from './decide-cache.ts'
import type { RedisAccess, RedisReplies } from './redis-access.ts'
import {
  answerField,
  createNonces,
  decodeAnswer,
  encodeAnswer,
  eraOf,
  NONCE_FIELD,
  personKey,
} from './redis-entries.ts'
import type { RedisCommand } from './redis-link.ts'

/** Lifetime of a person's cached answers, from the last one that was stored. */
export const DECIDE_ANSWER_TTL_MS = 300_000
/** Projects of which it is remembered whether their answers read stored data. */
const DECIDE_HINTS_MAX = 50_000

/**
 * The decide cache that the gateways of a cluster share. Why an answer computed before its person
 * changed is never served once the change was acknowledged (P3):
 *
 * 1. A nonce is the value of `g` in one unbroken stretch of time only: it is new when a look sets it
 *    into an absent `g`, nothing else sets `g`, and it goes with the whole hash - deleted by a
 *    forget, expired, evicted or lost - and nobody makes it again.
 * 2. The ticket is the nonce (and the era) that Redis held before the question was put to the
 *    worker. An answer that does not know of a change was computed before its COMMIT, so that its
 *    ticket was read before the DEL that follows the COMMIT, and that nonce is gone for good.
 * 3. An answer is served only while `g`, read with it in one command, is its nonce. It does not
 *    matter when it was put: a late put lands beside another nonce or none.
 * 4. Where the DEL may not have happened, or may have been undone, the era is another one: the
 *    worker raises its generation before it acknowledges, and a server that was restarted or
 *    replaced (perhaps with data of before the DEL) has another run id. The era of a ticket is that
 *    of before the question, so that a late put is void too.
 *
 * Answers that read nothing stored need no nonce. Nothing here depends on a clock: expiry bounds
 * space alone.
 */
export function createRedisDecideCache(
  access: RedisAccess,
  options: RedisDecideCacheOptions,
): DecideCache {
  return new RedisDecideCache(access, options)
}

export type RedisDecideCacheOptions = {
  readonly cluster: string
  /** Generation of all workers in the view; empty while unknown, and the cache is not used then. */
  readonly generation: () => string
}

class RedisDecideCache implements DecideCache {
  readonly keepsStored = true
  readonly #access: RedisAccess
  readonly #cluster: string
  /** Reads and writes are sent apart: a server without memory refuses all of a transaction. */
  readonly #reads: RedisBatch
  readonly #writes: RedisBatch
  readonly #nextNonce = createNonces()
  readonly #hints = createBoundedMap<ProjectId, Hint>({ entriesMax: DECIDE_HINTS_MAX })
  readonly #era: () => string

  constructor(access: RedisAccess, { cluster, generation }: RedisDecideCacheOptions) {
    this.#access = access
    this.#cluster = cluster
    this.#reads = createRedisBatch(access)
    this.#writes = createRedisBatch(access)
    this.#era = createEra(access, generation)
  }

  look(place: DecidePlace): Looked | Promise<Looked> {
    const now = this.#era()
    return now === '' ? NOT_THERE : this.#lookUp(place, now)
  }

  put(
    place: DecidePlace,
    { shared }: DecideTicket,
    answer: CachedAnswer,
  ): Promise<void> | undefined {
    remember(this.#hints, place, answer.dependsOnStored)
    if (shared === undefined || this.#access.run() === '') return
    if (answer.members.length > DECIDE_ANSWER_CHARS_MAX) return
    const text = encodeAnswer(shared, answer)
    if (text === undefined) return
    const key = personKey(this.#cluster, place.projectId, place.distinctId)
    return this.#keep(key, answerField(place), text)
  }

  async forgetPersons(project: ProjectId, distinctIds: readonly string[]): Promise<void> {
    if (distinctIds.length === 0) return
    if (distinctIds.length > DECIDE_FORGET_IDS_MAX || this.#access.run() === '') {
      throw notForgotten()
    }
    const commands: RedisCommand[] = []
    for (let from = 0; from < distinctIds.length; from += DECIDE_FORGET_KEYS_MAX) {
      const ids = distinctIds.slice(from, from + DECIDE_FORGET_KEYS_MAX)
      commands.push(['DEL', ...ids.map((id) => personKey(this.#cluster, project, id))])
    }
    const replies = await this.#access.exec(commands, { budgetMs: REDIS_FORGET_MS, strict: true })
    const isDone = replies?.every((reply) => typeof reply === 'number') ?? false
    if (!isDone) throw notForgotten()
  }

  close(): Promise<void> {
    return this.#access.close()
  }

  async #lookUp(place: DecidePlace, era: string): Promise<Looked> {
    const key = personKey(this.#cluster, place.projectId, place.distinctId)
    const replies = await this.#reads.add([['HMGET', key, NONCE_FIELD, answerField(place)]])
    const pair = replies?.[0]
    if (!Array.isArray(pair)) return NOT_THERE
    const nonce = textOf(pair[0])
    const found = decodeAnswer(pair[1], this.#era(), nonce)
    if (found !== undefined) {
      const { members, dependsOnStored } = found
      return { members, dependsOnStored, ticket: NO_TICKET }
    }
    const shared = await this.#ticketFor(place, key, { era, nonce })
    return { members: undefined, dependsOnStored: true, ticket: { heard: 0, shared } }
  }

  /** Makes, before a worker is asked, the ticket under which its answer may be kept. */
  async #ticketFor(
    place: DecidePlace,
    key: string,
    found: SharedTicket,
  ): Promise<SharedTicket | undefined> {
    const hint = this.#hints.get(place.projectId)
    const readsNothing = hint?.revision === place.revision && !hint.readsStored
    if (found.nonce !== undefined || readsNothing) return found
    const replies = await this.#writes.add([
      ['HSETNX', key, NONCE_FIELD, this.#nextNonce()],
      ['PEXPIRE', key, String(DECIDE_ANSWER_TTL_MS)],
      ['HGET', key, NONCE_FIELD],
    ])
    const nonce = textOf(replies?.[2])
    return nonce === undefined ? undefined : { era: found.era, nonce }
  }

  async #keep(key: string, field: string, text: string): Promise<void> {
    const replies = await this.#writes.add([
      ['HSET', key, field, text],
      ['PEXPIRE', key, String(DECIDE_ANSWER_TTL_MS)],
      ['HLEN', key],
    ])
    const fields = replies?.[2]
    const isFull = typeof fields === 'number' && fields > DECIDE_QUESTIONS_MAX + 1
    if (isFull) await this.#writes.add([['DEL', key]])
  }
}

/** Whether an answer of a project at a revision is known to have read stored data. */
type Hint = { readonly revision: Revision; readonly readsStored: boolean }

/** Keeps the hint. A project whose flags read nothing stored needs no nonces: a round trip less. */
function remember(
  hints: { get(project: ProjectId): Hint | undefined; set(project: ProjectId, hint: Hint): void },
  { projectId, revision }: DecidePlace,
  readsStored: boolean,
): void {
  const known = hints.get(projectId)
  if (known === undefined || known.revision < revision) {
    hints.set(projectId, { revision, readsStored })
  } else if (known.revision === revision && readsStored && !known.readsStored) {
    hints.set(projectId, { revision, readsStored })
  }
}

/** Reads the current era, hashed only when it changes; empty when the cache may not be used. */
function createEra(access: Pick<RedisAccess, 'run'>, generation: () => string): () => string {
  let last = { run: '', generation: '', era: '' }
  return () => {
    const now = { run: access.run(), generation: generation() }
    if (now.run === last.run && now.generation === last.generation) return last.era
    const isKnown = now.run !== '' && now.generation !== ''
    last = { ...now, era: isKnown ? eraOf(now.run, now.generation) : '' }
    return last.era
  }
}

const NO_TICKET = { heard: 0, shared: undefined }
const NOT_THERE: Looked = { members: undefined, dependsOnStored: true, ticket: NO_TICKET }

function textOf(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined
}

function notForgotten(): AppError {
  return new AppError('unavailable', 'answers of changed persons may still be in the shared cache')
}

/** Collects the commands of one event loop tick and sends them together. */
type RedisBatch = {
  /** Replies to these commands, as `RedisAccess.exec` answers them. Never rejects. */
  add(commands: readonly RedisCommand[]): Promise<RedisReplies | undefined>
}

type Asker = {
  readonly from: number
  readonly to: number
  resolve(replies: RedisReplies | undefined): void
}

function createRedisBatch(access: Pick<RedisAccess, 'exec'>): RedisBatch {
  let commands: RedisCommand[] = []
  let askers: Asker[] = []
  let scheduled = false

  const send = async () => {
    const asked = askers
    const sent = commands
    askers = []
    commands = []
    const replies = await access.exec(sent, { budgetMs: REDIS_COMMAND_MS, strict: false })
    for (const { from, to, resolve } of asked) resolve(replies?.slice(from, to))
  }
  const onTurn = () => {
    scheduled = false
    if (askers.length > 0) void send()
  }

  return {
    add: (own) =>
      new Promise((resolve) => {
        if (commands.length + own.length > REDIS_BATCH_COMMANDS_MAX) void send()
        const from = commands.length
        commands.push(...own)
        askers.push({ from, to: commands.length, resolve })
        if (scheduled) return
        scheduled = true
        afterIo(onTurn)
      }),
  }
}
