import type { RedisCommand, RedisLink, RedisOutcome } from '../../gateway/cache/redis-link.ts'

type Store = Map<string, Map<string, string>>

/** The commands that the decide cache uses, in memory; it can lose keys, all, or go back in time. */
export type SimRedis = {
  connect(): SimLink
  /** Connections with a batch to do or an answer to hand over. */
  busy(): readonly SimLink[]
  evict(random: () => number): void
  snapshot(): void
  /** Another run: empty, or with the data of the last snapshot. Connections end. */
  restart(restored: boolean): void
}

export type SimLink = RedisLink & {
  /** Does the oldest batch, or hands the oldest answer over. */
  step(random: () => number): void
}

export function createSimRedis(): SimRedis {
  let store: Store = new Map()
  let saved: Store = new Map()
  let run = 1
  let links = new Set<{ link: SimLink; isBusy: () => boolean; end: () => void }>()

  const copy = (from: Store): Store => {
    return new Map([...from].map(([key, fields]) => [key, new Map(fields)]))
  }
  const apply = ([name, key = '', ...rest]: RedisCommand): unknown => {
    const fields = store.get(key)
    const [field = '', value = ''] = rest
    switch (name) {
      case 'INFO':
        return `run_id:${run}\r\nrole:master\r\n`
      case 'HMGET':
        return rest.map((each) => fields?.get(each) ?? null)
      case 'HGET':
        return fields?.get(field) ?? null
      case 'HLEN':
        return fields?.size ?? 0
      case 'PEXPIRE':
        return fields === undefined ? 0 : 1
      case 'HSETNX':
      case 'HSET': {
        if (name === 'HSETNX' && fields?.has(field)) return 0
        store.set(key, (fields ?? new Map<string, string>()).set(field, value))
        return 1
      }
      case 'DEL':
        return [key, ...rest].filter((each) => store.delete(each)).length
      default:
        throw new Error(`no such command: ${name}`)
    }
  }

  const connect = (): SimLink => {
    const inbox: { commands: readonly RedisCommand[]; settle: Settle }[] = []
    const outbox: (() => void)[] = []
    const waiting = new Set<Settle>()
    let onEnd = (_reason: Error) => {
      // Replaced below.
    }
    const ended = new Promise<Error>((resolve) => {
      onEnd = resolve
    })
    const end = () => {
      links.delete(own)
      inbox.length = 0
      outbox.length = 0
      onEnd(new Error('ended'))
      for (const settle of waiting) settle.reject(new Error('ended'))
      waiting.clear()
    }
    const link: SimLink = {
      ready: Promise.resolve(),
      ended,
      exec: (commands) =>
        new Promise<RedisOutcome>((resolve, reject) => {
          if (!links.has(own)) return reject(new Error('ended'))
          const settle = { resolve, reject }
          waiting.add(settle)
          inbox.push({ commands, settle })
        }),
      close: end,
      step(random) {
        const isAnswer = outbox.length > 0 && (inbox.length === 0 || random() < 0.5)
        if (isAnswer) return outbox.shift()?.()
        const batch = inbox.shift()
        if (batch === undefined) return
        const replies = batch.commands.map(apply)
        outbox.push(() => {
          waiting.delete(batch.settle)
          batch.settle.resolve({ kind: 'replies', replies })
        })
      },
    }
    const own = { link, isBusy: () => inbox.length + outbox.length > 0, end }
    links.add(own)
    return link
  }

  return {
    connect,
    busy: () => [...links].filter(({ isBusy }) => isBusy()).map(({ link }) => link),
    evict(random) {
      const keys = [...store.keys()]
      const key = keys[Math.floor(random() * keys.length)]
      if (key !== undefined) store.delete(key)
    },
    snapshot() {
      saved = copy(store)
    },
    restart(restored) {
      store = restored ? copy(saved) : new Map()
      run++
      const before = links
      links = new Set(before)
      for (const { end } of before) end()
    },
  }
}

type Settle = { resolve(outcome: RedisOutcome): void; reject(reason: Error): void }
