/**
 * A simulated Redis server for the decide cache: each connection does one step at a time, at the
 * test's command. It can evict keys, restart empty, or restart with older data.
 */
import type { RedisCommand, RedisLink, RedisOutcome } from '../../../gateway/cache/redis-link.ts'

export type SimLink = RedisLink & {
  /** Runs the oldest batch, or hands over the oldest answer. */
  step(random: () => number): void
}

/** Keys with their hash fields. */
type Store = Map<string, Map<string, string>>

export class SimRedis {
  readonly #links = new Set<SimConnection>()
  #store: Store = new Map()
  #saved: Store = new Map()
  #run = 1

  connect(): SimLink {
    const connection = new SimConnection(
      (command) => this.#apply(command),
      () => this.#links.delete(connection),
    )
    this.#links.add(connection)
    return connection
  }

  /** Connections with a batch to run or an answer to hand over. */
  busy(): readonly SimLink[] {
    return [...this.#links].filter(({ isBusy }) => isBusy)
  }

  evict(random: () => number): void {
    const keys = [...this.#store.keys()]
    const key = keys[Math.floor(random() * keys.length)]
    if (key !== undefined) this.#store.delete(key)
  }

  snapshot(): void {
    this.#saved = copyOf(this.#store)
  }

  /** Another run: empty, or with the data of the last snapshot. Connections end. */
  restart(restored: boolean): void {
    this.#store = restored ? copyOf(this.#saved) : new Map()
    this.#run += 1
    for (const connection of [...this.#links]) connection.close()
  }

  /** Only the commands that the decide cache uses. */
  #apply([name, key = '', ...rest]: RedisCommand): unknown {
    const fields = this.#store.get(key)
    const [field = '', value = ''] = rest
    switch (name) {
      case 'INFO':
        return `run_id:${this.#run}\r\nrole:master\r\n`
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
        this.#store.set(key, (fields ?? new Map<string, string>()).set(field, value))
        return 1
      }
      case 'DEL':
        return [key, ...rest].filter((each) => this.#store.delete(each)).length
      default:
        throw new Error(`no such command: ${name}`)
    }
  }
}

type Settle = { resolve(outcome: RedisOutcome): void; reject(reason: Error): void }

class SimConnection implements SimLink {
  readonly ready = Promise.resolve()
  readonly ended: Promise<Error>
  readonly #apply: (command: RedisCommand) => unknown
  readonly #onClose: () => void
  readonly #inbox: { commands: readonly RedisCommand[]; settle: Settle }[] = []
  readonly #outbox: (() => void)[] = []
  readonly #waiting = new Set<Settle>()
  #isOpen = true
  #end: (reason: Error) => void = () => undefined

  constructor(apply: (command: RedisCommand) => unknown, onClose: () => void) {
    this.#apply = apply
    this.#onClose = onClose
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get isBusy(): boolean {
    return this.#inbox.length + this.#outbox.length > 0
  }

  exec(commands: readonly RedisCommand[]): Promise<RedisOutcome> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new Error('ended'))
      const settle = { resolve, reject }
      this.#waiting.add(settle)
      this.#inbox.push({ commands, settle })
    })
  }

  close(): void {
    this.#isOpen = false
    this.#onClose()
    this.#inbox.length = 0
    this.#outbox.length = 0
    this.#end(new Error('ended'))
    for (const settle of this.#waiting) settle.reject(new Error('ended'))
    this.#waiting.clear()
  }

  step(random: () => number): void {
    const isAnswer = this.#outbox.length > 0 && (this.#inbox.length === 0 || random() < 0.5)
    if (isAnswer) {
      this.#outbox.shift()?.()
      return
    }
    const batch = this.#inbox.shift()
    if (batch === undefined) return
    const replies = batch.commands.map(this.#apply)
    this.#outbox.push(() => {
      this.#waiting.delete(batch.settle)
      batch.settle.resolve({ kind: 'replies', replies })
    })
  }
}

function copyOf(store: Store): Store {
  return new Map([...store].map(([key, fields]) => [key, new Map(fields)]))
}
