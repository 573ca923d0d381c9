/** A watch of a bucket that survives lost connections and new streams. */
import type { KvEntry, QueuedIterator } from 'nats'
import type { Clock } from '../../src/core/clock.ts'
import { NATS_RECONNECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { RegistryEvent } from '../members/registry.ts'
import type { KvBucket } from './kv-bucket.ts'
import type { NatsLink } from './nats-connection.ts'

export type KvWatch = { stop(): Promise<void> }

/**
 * Watches a bucket until stopped. The client's own watch continues after the last sequence it saw,
 * which is meaningless in a recreated stream. So the watch restarts after each lost connection and
 * each new stream. The listener then gets the last change of each key again, removals included, so
 * that it misses nothing for as long as a removal's marker lives.
 * @returns once the watch has started, or the first attempt has failed.
 */
export async function startKvWatch(
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
