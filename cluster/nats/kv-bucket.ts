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

export type BucketSettings = {
  readonly bucket: string
  /** Keys not written for this long are dropped; 0 keeps them. */
  readonly ttlMs: number
  readonly replicas: number
}

/** A bucket whose stream may vanish with the server's files, and is made again then. */
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
  /** To be told of what the server says about the stream: it may be another one by now. */
  saw(info: StreamInfo): void
  /** Told when the stream is another one than before. The answer unsubscribes. */
  subscribe(listener: () => void): () => void
}

export async function openKvBucket(
  nats: NatsLink,
  settings: BucketSettings,
  log: Log,
): Promise<KvBucket> {
  const { bucket, ttlMs, replicas } = settings
  const stream = `KV_${bucket}`
  const prefix = `$KV.${bucket}.`
  const streams = nats.connection.jetstream({ timeout: REGISTRY_OP_MS })
  const listeners = new Set<() => void>()
  let created: string | undefined

  const saw = (info: StreamInfo) => {
    const before = created
    created = String(info.created)
    if (before === undefined || before === created) return
    log.warn('bucket of the cluster was lost and is made again', { bucket })
    for (const listener of [...listeners]) listener()
  }

  const attempt = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    if (!nats.connected()) throw unavailable(what)
    try {
      return await run()
    } catch (error) {
      throw error instanceof AppError ? error : unavailable(what, error)
    }
  }
  const manager = await attempt(`JetStream for bucket ${bucket}`, () =>
    nats.connection.jetstreamManager({ timeout: REGISTRY_OP_MS, checkAPI: false }),
  )

  /** `undefined` when there is no such stream. */
  const info = () =>
    attempt(`state of bucket ${bucket}`, async () => {
      try {
        return await manager.streams.info(stream)
      } catch (error) {
        if (natsFailure(error) === 'no_stream') return undefined
        throw error
      }
    })

  const make = async () => {
    try {
      const storage = StorageType.File
      await streams.views.kv(bucket, { ttl: ttlMs, replicas, history: 1, storage })
    } catch (error) {
      const answer = natsAnswer(error)
      if (answer === undefined) throw error
      const detail = `NATS refuses to make bucket ${bucket}: ${answer}`
      throw new AppError('failed_precondition', detail, { cause: error })
    }
  }

  const ensure = async () => {
    if ((await info()) === undefined) {
      await attempt(`making bucket ${bucket}`, make)
    }
    const found = await info()
    if (found === undefined) throw unavailable(`making bucket ${bucket}`)
    checkSettings(found, settings)
    saw(found)
  }
  await ensure()

  return {
    streams,
    manager,
    stream,
    subjectOf: (key) => `${prefix}${key}`,
    keyOf: (subject) => subject.slice(prefix.length),
    ensure,
    saw,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The client opens a bucket whatever its settings are: with another TTL, members would vanish. */
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
