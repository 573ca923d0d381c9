import { headers } from 'nats'
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { REGISTRY_READS_MAX } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { isCode } from '../is-code.ts'
import type { Registry, RegistryEntry } from '../members/registry.ts'
import { type BucketSettings, type KvBucket, openKvBucket } from './kv-bucket.ts'
import { type KvWatch, startKvWatch } from './kv-watch.ts'
import type { NatsLink } from './nats-connection.ts'
import { natsFailure, unavailable } from './nats-errors.ts'

export type KvRegistryOptions = BucketSettings & {
  readonly nats: NatsLink
  readonly clock: Clock
  readonly log: Log
}

const OPERATION = 'KV-Operation'

/**
 * A registry in a bucket of NATS JetStream KV, as other tools see it too. Revisions are sequences
 * of the bucket's stream. Reads ask the stream's leader: a copy may be behind.
 * @throws {AppError} `failed_precondition` when the bucket is there with other settings;
 * `unavailable`.
 */
export async function openKvRegistry(options: KvRegistryOptions): Promise<Registry> {
  const { nats, clock, log } = options
  const bucket = await openKvBucket(nats, options, log)
  const watches = new Set<KvWatch>()
  let complaint = ''

  /** Makes a bucket that was gone. @throws {AppError} `unavailable`. */
  const makeAgain = async (what: string) => {
    try {
      await bucket.ensure()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!isCode(error, 'unavailable') && message !== complaint) {
        complaint = message
        log.error('bucket of the cluster cannot be made again', { error })
      }
      throw unavailable(what, error)
    }
  }

  /**
   * Runs an operation; a second time when the bucket was gone, after making it.
   * @throws {NatsError} of a condition that did not hold. @throws {AppError} `unavailable`.
   */
  const attempt = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    const once = async (): Promise<{ value: T } | 'gone'> => {
      if (!nats.connected()) throw unavailable(what)
      try {
        return { value: await run() }
      } catch (error) {
        const failure = natsFailure(error)
        if (failure === 'wrong_sequence') throw error
        if (failure === 'no_stream' || failure === 'no_responders') return 'gone'
        throw unavailable(what, error)
      }
    }
    const first = await once()
    if (first !== 'gone') return first.value
    await makeAgain(what)
    const second = await once()
    if (second === 'gone') throw unavailable(what)
    return second.value
  }

  const read = (key: string) => attempt(`reading ${key}`, () => lastOf(bucket, key))

  const publish = (key: string, value: string, revision: number, remove = false) =>
    attempt(`writing ${key}`, async () => {
      const more = remove ? { headers: headers() } : {}
      more.headers?.set(OPERATION, 'DEL')
      const expect = { lastSubjectSequence: revision }
      const subject = bucket.subjectOf(key)
      const ack = await bucket.streams.publish(subject, value, { ...more, expect })
      return ack.seq
    })

  /** Publishes on condition of the revision; `otherwise` is the code when that is another one. */
  const write = async (
    otherwise: 'already_exists' | 'aborted',
    ...change: Parameters<typeof publish>
  ) => {
    try {
      return await publish(...change)
    } catch (error) {
      if (natsFailure(error) !== 'wrong_sequence') throw error
      throw new AppError(otherwise, `key ${change[0]} is not at revision ${change[2]}`)
    }
  }

  return {
    async create(key, value) {
      try {
        return await write('already_exists', key, value, 0)
      } catch (error) {
        if (!isCode(error, 'already_exists')) throw error
        // A removed key leaves a marker, which has a revision of its own.
        const last = await read(key)
        if (last === undefined || last.kind === 'present') throw error
        return await write('already_exists', key, value, last.revision)
      }
    },
    update: (key, value, revision) => write('aborted', key, value, revision),
    async remove(key, revision) {
      await write('aborted', key, '', revision, true)
    },
    async get(key) {
      const last = await read(key)
      return last?.kind === 'present' ? last.entry : undefined
    },
    list: () => attempt('listing keys', () => listOf(bucket)),
    async watch(listener) {
      const watch = await startKvWatch({ nats, bucket, clock, log }, listener)
      watches.add(watch)
      return () => {
        watches.delete(watch)
        void watch.stop()
      }
    },
    connected: () => nats.connected(),
    async close() {
      await Promise.all([...watches].map((watch) => watch.stop()))
      watches.clear()
    },
  }
}

type Last =
  | { readonly kind: 'present'; readonly entry: RegistryEntry }
  | { readonly kind: 'removed'; readonly revision: number }

async function lastOf(bucket: KvBucket, key: string): Promise<Last | undefined> {
  try {
    const query = { last_by_subj: bucket.subjectOf(key) }
    const message = await bucket.manager.streams.getMessage(bucket.stream, query)
    // Without headers the client has none, whatever its types say.
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

/** Not a snapshot: each key as it is when it is read, some at a time. */
async function listOf(bucket: KvBucket): Promise<readonly RegistryEntry[]> {
  const all = { subjects_filter: '>' }
  const info = await bucket.manager.streams.info(bucket.stream, all)
  bucket.saw(info)
  const keys = Object.keys(info.state.subjects ?? {}).map(bucket.keyOf)
  const entries: RegistryEntry[] = []
  for (let start = 0; start < keys.length; start += REGISTRY_READS_MAX) {
    const some = keys.slice(start, start + REGISTRY_READS_MAX)
    const read = await Promise.all(some.map((key) => lastOf(bucket, key)))
    for (const last of read) if (last?.kind === 'present') entries.push(last.entry)
  }
  return entries
}
