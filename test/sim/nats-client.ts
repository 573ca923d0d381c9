/** The connection of one process to NATS: the registry of members, and the spill's log. */
import type { Registry, RegistryEntry, RegistryEvent } from '../../cluster/members/registry.ts'
import { NATS_PING_MS } from '../../cluster/nats/nats-connection.ts'
import { AppError } from '../../src/core/code.ts'
import {
  NATS_RECONNECT_MS,
  REGISTRY_OP_MS,
  SPILL_CALL_MS,
  SPILL_PUT_MS,
} from '../../src/core/limits/limits.ts'
import type { LoggedMessage, MessageLog } from '../../src/core/message-log.ts'
import type { SimNats } from './nats.ts'
import type { Network } from './network.ts'
import type { SimProcess } from './simulation.ts'
import { type Reply, StoreLine } from './store-line.ts'
import type { Kept } from './stream.ts'

export type NatsClient = {
  readonly registry: Registry
  readonly messages: MessageLog
}

const PULL_GRACE_MS = 1_000
const MESSAGE_BYTES_MAX = 100_000

const failures = (what: string) => ({
  broken: () => new AppError('unavailable', `${what}: connection lost`),
  late: () => new AppError('unavailable', `${what}: no answer`),
})

export function createNatsClient(
  process: SimProcess,
  server: SimNats,
  network: Network,
): NatsClient {
  const { random } = server.sim
  const line = new StoreLine(process, server, network)
  const listeners = new Set<(event: RegistryEvent) => void>()
  let isConnected = line.isWhole()

  const tell = (event: RegistryEvent) =>
    line.push(() => {
      if (!isConnected) return
      for (const listener of [...listeners]) listener(event)
    })
  const onChange = (event: RegistryEvent) => {
    if (!isConnected || listeners.size === 0 || random.chance(server.watchLoss)) return
    tell(event)
    if (random.chance(server.watchTwice)) tell(event)
  }
  /** A watch starts anew with each connection and first gets the last change of each key. */
  const retell = () => {
    for (const event of server.newest.values()) tell(event)
  }
  const reconnect = () => {
    process.timer(NATS_RECONNECT_MS * (1 + random.next()), () => {
      if (isConnected) return
      if (!line.isWhole()) {
        reconnect()
        return
      }
      isConnected = true
      line.tell(retell)
    })
  }
  const lose = () => {
    if (!isConnected) return
    isConnected = false
    reconnect()
  }
  // A server that ends closes its connections. One that is silent is left after some pings.
  const onMode = () => {
    if (server.isDown) line.push(lose)
  }
  const ping = () => {
    process.timer(NATS_PING_MS * (1 + random.next()), () => {
      const wasWhole = line.isWhole()
      process.timer(NATS_PING_MS, () => {
        if (!wasWhole && !line.isWhole()) lose()
        ping()
      })
    })
  }
  ping()
  server.onMode.add(onMode)
  server.watchers.add(onChange)
  process.onEnd.add(() => {
    server.onMode.delete(onMode)
    server.watchers.delete(onChange)
  })

  const requireConnected = (what: string) => {
    if (!isConnected) throw new AppError('unavailable', `${what}: not connected`)
  }
  const ask = async <T>(what: string, ms: number, work: (reply: Reply<T>) => void): Promise<T> => {
    requireConnected(what)
    return await line.ask<T>(ms, failures(what), work)
  }
  /** An operation of the server's registry, whose promises are settled at once. */
  const operate = <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const askedAt = server.sim.now
    return ask<T>(what, REGISTRY_OP_MS, (reply) => {
      server.askedAt = askedAt
      work().then(
        (value) => reply.ok(value),
        (error: unknown) => reply.fail(error instanceof Error ? error : new Error(String(error))),
      )
    })
  }
  /** Not a snapshot: some keys are read a moment later than others. */
  const list = async (reply: Reply<readonly RegistryEntry[]>) => {
    const early = await server.keys.list()
    const isLate = new Set(early.filter(() => random.chance(0.5)).map(({ key }) => key))
    server.work(random.between(0.2, 3), async () => {
      const late = await server.keys.list()
      reply.ok([
        ...early.filter(({ key }) => !isLate.has(key)),
        ...late.filter(({ key }) => isLate.has(key)),
      ])
    })
  }

  const registry: Registry = {
    create: (key, value) => operate('create', () => server.keys.create(key, value)),
    update: (key, value, revision) =>
      operate('update', () => server.keys.update(key, value, revision)),
    remove: (key, revision) => operate('remove', () => server.keys.remove(key, revision)),
    get: (key) => operate('get', () => server.keys.get(key)),
    list: () =>
      ask('list', REGISTRY_OP_MS, (reply: Reply<readonly RegistryEntry[]>) => void list(reply)),
    async watch(listener) {
      listeners.add(listener)
      if (isConnected) line.tell(retell)
      return () => listeners.delete(listener)
    },
    connected: () => isConnected,
    async close() {
      listeners.clear()
    },
  }

  const { stream } = server
  const logged = (message: Kept): LoggedMessage => {
    const { bytes, sequence, deliveries } = message
    return {
      bytes,
      sequence,
      deliveries,
      keptAtMs: 0,
      ack: () =>
        ask('ack', SPILL_CALL_MS, (reply: Reply<void>) => {
          stream.ack(message)
          reply.ok(undefined)
        }),
      extend: () => line.tell(() => stream.hold(message, 30_000)),
      retry: (ms) => line.tell(() => stream.hold(message, ms)),
    }
  }
  const messages: MessageLog = {
    put: (id, bytes) =>
      ask('put', SPILL_PUT_MS, (reply: Reply<void>) => {
        server.work(random.between(0.2, 2), () => {
          if (stream.put(id, bytes) !== 'full') reply.ok(undefined)
          else reply.fail(new AppError('resource_exhausted', 'the stream is full'))
        })
      }),
    next(waitMs, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
        const pulled = ask('pull', waitMs + PULL_GRACE_MS, (reply: Reply<Kept | undefined>) =>
          stream.pull(waitMs, (message) => reply.ok(message)),
        )
        pulled.then(
          (message) => {
            signal.removeEventListener('abort', onAbort)
            if (signal.aborted && message !== undefined) logged(message).retry(0)
            resolve(message === undefined ? undefined : logged(message))
          },
          (error: unknown) => {
            signal.removeEventListener('abort', onAbort)
            // A pull without an answer has no messages.
            if (isConnected) resolve(undefined)
            else reject(error)
          },
        )
      })
    },
    connected: () => isConnected,
    messageBytesMax: () => MESSAGE_BYTES_MAX,
    status: () =>
      ask('status', SPILL_CALL_MS, (reply) =>
        reply.ok({
          messages: stream.messages,
          bytes: stream.bytes,
          bytesMax: stream.bytesMax,
          oldestAgeMs: 0,
        }),
      ),
    async close() {},
  }
  return { registry, messages }
}
