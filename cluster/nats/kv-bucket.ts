/**
 * A bucket of keys in NATS JetStream KV. Its stream may vanish with the server's files; it is made
 * again then.
 */
import {
  type JetStreamClient,
  type JetStreamManager,
  millis,
  StorageType,
  type StreamInfo,
} from 'nats'
import { AppError } from '../../src/core/code.ts'
import { REGISTRY_OP_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { NatsLink } from './nats-connection.ts'
import { natsAnswer, natsFailure, unavailable } from './nats-errors.ts'

/** Making a bucket: the server makes folders and files, and syncs them. */
const BUCKET_MAKE_MS = 5_000

export type BucketSettings = {
  readonly bucket: string
  /** Keys not written for this long are dropped; 0 keeps them. */
  readonly ttlMs: number
  readonly replicas: number
}

export type KvBucket = {
  readonly streams: JetStreamClient
  readonly manager: JetStreamManager
  readonly stream: string
  subjectOf(key: string): string
  keyOf(subject: string): string
  /**
   * Makes the bucket when it is not there.
   * @throws {AppError} `failed_precondition` when it is there with other settings, `unavailable`.
   */
  ensure(): Promise<void>
  /** Takes the server's facts about the stream: another stream may have taken its place. */
  noteInfo(info: StreamInfo): void
  /**
   * Calls `listener` when another stream has taken the place of the last. @returns the
   * unsubscriber.
   */
  subscribe(listener: () => void): () => void
}

export async function openKvBucket(
  nats: NatsLink,
  settings: BucketSettings,
  log: Log,
): Promise<KvBucket> {
  const manager = await attempt(nats, `JetStream for bucket ${settings.bucket}`, () =>
    nats.connection.jetstreamManager({ timeout: REGISTRY_OP_MS, checkAPI: false }),
  )
  const bucket = new NatsKvBucket({ nats, manager, log }, settings)
  await bucket.ensure()
  return bucket
}

class NatsKvBucket implements KvBucket {
  readonly streams: JetStreamClient
  readonly manager: JetStreamManager
  readonly stream: string
  readonly #nats: NatsLink
  readonly #log: Log
  readonly #settings: BucketSettings
  readonly #prefix: string
  readonly #listeners = new Set<() => void>()
  /** Creation time of the stream, as last seen: distinguishes streams of the same name. */
  #createdAt: string | undefined

  constructor(
    { nats, manager, log }: { nats: NatsLink; manager: JetStreamManager; log: Log },
    settings: BucketSettings,
  ) {
    this.#nats = nats
    this.#log = log
    this.#settings = settings
    this.#prefix = `$KV.${settings.bucket}.`
    this.manager = manager
    this.stream = `KV_${settings.bucket}`
    this.streams = nats.connection.jetstream({ timeout: REGISTRY_OP_MS })
  }

  subjectOf(key: string): string {
    return `${this.#prefix}${key}`
  }

  keyOf(subject: string): string {
    return subject.slice(this.#prefix.length)
  }

  async ensure(): Promise<void> {
    const { bucket } = this.#settings
    if ((await this.#info()) === undefined) {
      await attempt(this.#nats, `making bucket ${bucket}`, () => this.#create())
    }
    const found = await this.#info()
    if (found === undefined) throw unavailable(`making bucket ${bucket}`)
    checkSettings(found, this.#settings)
    this.noteInfo(found)
  }

  noteInfo(info: StreamInfo): void {
    const before = this.#createdAt
    this.#createdAt = String(info.created)
    if (before === undefined || before === this.#createdAt) return
    const { bucket } = this.#settings
    this.#log.warn('bucket of the cluster was lost and is made again', { bucket })
    for (const listener of [...this.#listeners]) listener()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `undefined` when there is no such stream. */
  #info(): Promise<StreamInfo | undefined> {
    return attempt(this.#nats, `state of bucket ${this.#settings.bucket}`, async () => {
      try {
        return await this.manager.streams.info(this.stream)
      } catch (error) {
        if (natsFailure(error) === 'no_stream') return undefined
        throw error
      }
    })
  }

  async #create(): Promise<void> {
    const { bucket, ttlMs, replicas } = this.#settings
    try {
      const storage = StorageType.File
      const patient = this.#nats.connection.jetstream({ timeout: BUCKET_MAKE_MS })
      await patient.views.kv(bucket, { ttl: ttlMs, replicas, history: 1, storage })
    } catch (error) {
      const answer = natsAnswer(error)
      if (answer === undefined) throw error
      const detail = `NATS refuses to make bucket ${bucket}: ${answer}`
      throw new AppError('failed_precondition', detail, { cause: error })
    }
  }
}

/** Runs an operation of NATS. @throws {AppError} its own, else `unavailable`. */
async function attempt<T>(nats: NatsLink, what: string, run: () => Promise<T>): Promise<T> {
  if (!nats.connected()) throw unavailable(what)
  try {
    return await run()
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(what, error)
  }
}

/**
 * Checks a bucket that existed already: the client opens it whatever its settings are, and with
 * another TTL members would vanish.
 * @throws {AppError} `failed_precondition`.
 */
function checkSettings({ config }: StreamInfo, { bucket, ttlMs, replicas }: BucketSettings): void {
  const wrong: string[] = []
  const check = (name: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) wrong.push(`${name} ${found} instead of ${wanted}`)
  }
  check('ttl in ms', millis(config.max_age), ttlMs)
  check('storage', config.storage, StorageType.File)
  check('history', config.max_msgs_per_subject, 1)
  check('replicas', config.num_replicas, replicas)
  if (wrong.length === 0) return
  const fix = `stop the cluster and remove it (nats kv del ${bucket}), or set NATS_REPLICAS`
  const detail = `NATS bucket ${bucket} has ${wrong.join(', ')}: ${fix}`
  throw new AppError('failed_precondition', detail)
}
