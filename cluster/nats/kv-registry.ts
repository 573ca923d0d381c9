/**
 * A registry in a bucket of NATS JetStream KV, readable by other tools too. Revisions are sequences
 * of the bucket's stream. Reads ask the leader of the stream: a replica may be behind.
 */
import { headers, type KvEntry, type QueuedIterator } from 'nats'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, hasCode } from '../../src/core/code.ts'
import { NATS_RECONNECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { Registry, RegistryEntry, RegistryEvent } from '../members/registry.ts'
import { type BucketSettings, type KvBucket, openKvBucket } from './kv-bucket.ts'
import type { NatsLink } from './nats-connection.ts'
import { natsFailure, unavailable } from './nats-errors.ts'

/** Keys that one listing reads at a time. */
const REGISTRY_READS_MAX = 64

export type KvRegistryOptions = BucketSettings & {
  readonly nats: NatsLink
  readonly clock: Clock
  readonly log: Log
}

const OPERATION = 'KV-Operation'

/** @throws {AppError} `failed_precondition` when the bucket has other settings; `unavailable`. */
export async function openKvRegistry(options: KvRegistryOptions): Promise<Registry> {
  const { nats, clock, log, bucket, ttlMs, replicas } = options
  const opened = await openKvBucket(nats, { bucket, ttlMs, replicas }, log)
  return new KvRegistry({ nats, bucket: opened, clock, log })
}

type KvRegistryDeps = {
  readonly nats: NatsLink
  readonly bucket: KvBucket
  readonly clock: Clock
  readonly log: Log
}

class KvRegistry implements Registry {
  readonly #deps: KvRegistryDeps
  readonly #watches = new Set<KvWatch>()
  /** The last problem that was logged, so that each is logged once. */
  #loggedProblem = ''

  constructor(deps: KvRegistryDeps) {
    this.#deps = deps
  }

  async create(key: string, value: string): Promise<number> {
    try {
      return await this.#write('already_exists', { key, value, revision: 0 })
    } catch (error) {
      if (!hasCode(error, 'already_exists')) throw error
      // A removed key leaves a marker, which has a revision of its own.
      const last = await this.#read(key)
      if (last === undefined || last.kind === 'present') throw error
      return await this.#write('already_exists', { key, value, revision: last.revision })
    }
  }

  update(key: string, value: string, revision: number): Promise<number> {
    return this.#write('aborted', { key, value, revision })
  }

  async remove(key: string, revision: number): Promise<void> {
    await this.#write('aborted', { key, value: undefined, revision })
  }

  async get(key: string): Promise<RegistryEntry | undefined> {
    const last = await this.#read(key)
    return last?.kind === 'present' ? last.entry : undefined
  }

  list(): Promise<readonly RegistryEntry[]> {
    return this.#attempt('listing keys', () => listOf(this.#deps.bucket))
  }

  async watch(listener: (event: RegistryEvent) => void): Promise<() => void> {
    const watch = await startKvWatch(this.#deps, listener)
    this.#watches.add(watch)
    return () => {
      this.#watches.delete(watch)
      void watch.stop()
    }
  }

  connected(): boolean {
    return this.#deps.nats.connected()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches].map((watch) => watch.stop()))
    this.#watches.clear()
  }

  #read(key: string): Promise<Last | undefined> {
    return this.#attempt(`reading ${key}`, () => lastOf(this.#deps.bucket, key))
  }

  /** Publishes on condition of the revision. @throws {AppError} `otherwise` when it is another. */
  async #write(otherwise: 'already_exists' | 'aborted', change: Change): Promise<number> {
    const { key, revision } = change
    try {
      return await this.#attempt(`writing ${key}`, () => publish(this.#deps.bucket, change))
    } catch (error) {
      if (natsFailure(error) !== 'wrong_sequence') throw error
      throw new AppError(otherwise, `key ${key} is not at revision ${revision}`)
    }
  }

  /**
   * Runs an operation. When the bucket is gone, recreates it and runs the operation once more.
   * @throws {NatsError} of a condition that did not hold. @throws {AppError} `unavailable`.
   */
  async #attempt<T>(what: string, run: () => Promise<T>): Promise<T> {
    const first = await this.#once(what, run)
    if (first !== 'gone') return first.value
    await this.#ensureBucket(what)
    const second = await this.#once(what, run)
    if (second === 'gone') throw unavailable(what)
    return second.value
  }

  async #once<T>(what: string, run: () => Promise<T>): Promise<{ value: T } | 'gone'> {
    if (!this.#deps.nats.connected()) throw unavailable(what)
    try {
      return { value: await run() }
    } catch (error) {
      const failure = natsFailure(error)
      if (failure === 'wrong_sequence') throw error
      if (failure === 'no_stream' || failure === 'no_responders') return 'gone'
      throw unavailable(what, error)
    }
  }

  /** @throws {AppError} `unavailable`. */
  async #ensureBucket(what: string): Promise<void> {
    const { bucket, log } = this.#deps
    try {
      await bucket.ensure()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!hasCode(error, 'unavailable') && message !== this.#loggedProblem) {
        this.#loggedProblem = message
        log.error('bucket of the cluster cannot be made again', { error })
      }
      throw unavailable(what, error)
    }
  }
}

type Change = {
  readonly key: string
  /** Undefined to remove the key. */
  readonly value: string | undefined
  /** The change is made only while the key has this revision. */
  readonly revision: number
}

/** @returns the new revision. */
async function publish(bucket: KvBucket, { key, value, revision }: Change): Promise<number> {
  const more = value === undefined ? { headers: headers() } : {}
  more.headers?.set(OPERATION, 'DEL')
  const expect = { lastSubjectSequence: revision }
  const ack = await bucket.streams.publish(bucket.subjectOf(key), value ?? '', { ...more, expect })
  return ack.seq
}

type Last =
  | { readonly kind: 'present'; readonly entry: RegistryEntry }
  | { readonly kind: 'removed'; readonly revision: number }

async function lastOf(bucket: KvBucket, key: string): Promise<Last | undefined> {
  try {
    const query = { last_by_subj: bucket.subjectOf(key) }
    const message = await bucket.manager.streams.getMessage(bucket.stream, query)
    // Without headers the client has none, contrary to its types.
    const operation = message.header?.get(OPERATION) ?? ''
    if (operation === 'DEL' || operation === 'PURGE') {
      return { kind: 'removed', revision: message.seq }
    }
    const entry = { key, value: message.string(), revision: message.seq }
    return { kind: 'present', entry }
  } catch (error) {
    if (natsFailure(error) === 'no_message') return undefined
    throw error
  }
}

/** Reads every key, REGISTRY_READS_MAX at a time. Not a snapshot: keys may change between reads. */
async function listOf(bucket: KvBucket): Promise<readonly RegistryEntry[]> {
  const all = { subjects_filter: '>' }
  const info = await bucket.manager.streams.info(bucket.stream, all)
  bucket.noteInfo(info)
  const keys = Object.keys(info.state.subjects ?? {}).map((subject) => bucket.keyOf(subject))
  const entries: RegistryEntry[] = []
  for (let start = 0; start < keys.length; start += REGISTRY_READS_MAX) {
    const some = keys.slice(start, start + REGISTRY_READS_MAX)
    const read = await Promise.all(some.map((key) => lastOf(bucket, key)))
    for (const last of read) if (last?.kind === 'present') entries.push(last.entry)
  }
  return entries
}

/** A watch of a bucket that survives lost connections and new streams. */
type KvWatch = { stop(): Promise<void> }

/**
 * Watches a bucket until stopped. The client's own watch continues after the last sequence it saw,
 * which is meaningless in a recreated stream. So the watch restarts after each lost connection and
 * each new stream. The listener then gets the last change of each key again, removals included, so
 * that it misses nothing for as long as a removal's marker lives.
 * @returns once the watch has started, or the first attempt has failed.
 */
async function startKvWatch(
  { nats, bucket, clock, log }: { nats: NatsLink; bucket: KvBucket; clock: Clock; log: Log },
  listener: (event: RegistryEvent) => void,
): Promise<KvWatch> {
  const end = new AbortController()
  let current: QueuedIterator<KvEntry> | undefined

  const restart = () => current?.stop()
  const unsubscribes = [bucket.subscribe(restart), nats.subscribe(restart)]

  const open = async () => {
    if (!nats.connected()) return undefined
    const name = bucket.stream.replace(/^KV_/, '')
    const kv = await bucket.streams.views.kv(name, { bindOnly: true })
    const entries = await kv.watch()
    if (!end.signal.aborted) return entries
    entries.stop()
    return undefined
  }

  const read = async (entries: QueuedIterator<KvEntry>) => {
    current = entries
    for await (const entry of entries) {
      if (end.signal.aborted) break
      listener(eventOf(entry))
    }
    current = undefined
  }

  const run = async (first: QueuedIterator<KvEntry> | undefined) => {
    let entries = first
    while (!end.signal.aborted) {
      try {
        if (entries !== undefined) await read(entries)
        entries = undefined
        await clock.sleep(NATS_RECONNECT_MS, end.signal).catch(() => {
          // Stopped: the condition below ends the loop.
        })
        if (!end.signal.aborted) entries = await open()
      } catch (error) {
        log.debug('watch of a bucket has to start again', { stream: bucket.stream, error })
        entries = undefined
      }
    }
  }

  const first = await open().catch(() => undefined)
  const running = run(first)
  return {
    async stop() {
      end.abort()
      for (const unsubscribe of unsubscribes) unsubscribe()
      restart()
      await running
    },
  }
}

function eventOf(entry: KvEntry): RegistryEvent {
  const { key, revision, operation } = entry
  if (operation !== 'PUT') return { kind: 'removed', key, revision }
  return { kind: 'put', entry: { key, revision, value: entry.string() } }
}
