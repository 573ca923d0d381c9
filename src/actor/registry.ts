/** The activations of a worker: loaded once for many callers, capped, ended when idle. */
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'

/** Reason for the end of an activation. */
export type PassivationReason =
  | 'idle'
  | 'handoff'
  | 'lease_lost'
  | 'fenced'
  | 'removed'
  | 'fault'
  | 'shutdown'

/** Actor as the registry uses it. */
export type Actor = {
  /** True while turns wait or run: such an activation is not passivated for being idle. */
  busy(): boolean
  /** Ends the actor: refuses new turns and resolves when the accepted ones have ended. */
  passivate(reason: PassivationReason): Promise<void>
}

/**
 * States of one activation. `loading` -> `active` -> `passivating` -> gone. After a failed load it
 * is gone at once, and the next caller loads again.
 */
export type Activation<A extends Actor> =
  | { readonly kind: 'loading'; readonly loaded: Promise<A> }
  | { readonly kind: 'active'; readonly actor: A; lastUsedAt: number }
  | {
      readonly kind: 'passivating'
      readonly reason: PassivationReason
      readonly gone: Promise<void>
    }

export type Registry<K, A extends Actor> = {
  /** The active actor, at once and without a promise; `undefined` when it is not active. */
  peek(key: K): A | undefined
  /** The actor, loaded on first use. A passivating one is waited for, then loaded again. */
  get(key: K): Promise<A>
  size(): number
  /** Passivates what has been idle for long; called by a loop. */
  sweep(): Promise<void>
  /** Ends one activation; resolves when it is gone. No effect when there is none. */
  passivate(key: K, reason: PassivationReason): Promise<void>
  /** Ends all of them, refuses new ones. */
  close(): Promise<void>
}

export type RegistryOptions<K, A extends Actor> = {
  load: (key: K) => Promise<A>
  activationsMax: number
  idleMs: number
  /**
   * Called before activations are given up. True while they could not be loaded again: they stay
   * then. Absent means never.
   */
  keepsAll?: () => boolean | Promise<boolean>
  clock: Clock
  log: Log
}

export function createRegistry<K, A extends Actor>(options: RegistryOptions<K, A>): Registry<K, A> {
  return new ActivationRegistry(options)
}

class ActivationRegistry<K, A extends Actor> implements Registry<K, A> {
  readonly #options: RegistryOptions<K, A>
  /** In order of last use, because `#touch` moves an entry to the end. */
  readonly #activations = new Map<K, Activation<A>>()
  #isClosed = false

  constructor(options: RegistryOptions<K, A>) {
    this.#options = options
  }

  peek(key: K): A | undefined {
    const activation = this.#activations.get(key)
    if (activation?.kind !== 'active') return undefined
    this.#touch(key, activation)
    return activation.actor
  }

  async get(key: K): Promise<A> {
    for (;;) {
      if (this.#isClosed) throw new AppError('unavailable', 'worker is shutting down')
      const activation = this.#activations.get(key)
      if (activation === undefined) {
        await this.#makeRoom()
        if (!this.#activations.has(key) && !this.#isClosed) return this.#load(key)
        continue
      }
      switch (activation.kind) {
        case 'loading':
          return activation.loaded
        case 'active':
          this.#touch(key, activation)
          return activation.actor
        case 'passivating':
          await activation.gone
          break
        default:
          activation satisfies never
      }
    }
  }

  size(): number {
    return this.#activations.size
  }

  async sweep(): Promise<void> {
    const { clock, idleMs } = this.#options
    if (await this.#mustKeepAll()) return
    const idleSince = clock.monotonic() - idleMs
    for (const [key, activation] of [...this.#activations]) {
      if (activation.kind !== 'active') continue
      if (activation.lastUsedAt > idleSince || activation.actor.busy()) continue
      await this.#end(key, activation.actor, 'idle')
    }
  }

  async passivate(key: K, reason: PassivationReason): Promise<void> {
    const activation = this.#activations.get(key)
    if (activation === undefined) return
    if (activation.kind === 'passivating') return activation.gone
    if (activation.kind === 'active') return this.#end(key, activation.actor, reason)
    const actor = await activation.loaded.catch(() => undefined) // A failed load leaves nothing.
    if (actor !== undefined) await this.#end(key, actor, reason)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#activations.keys()].map((key) => this.passivate(key, 'shutdown')))
  }

  #mustKeepAll(): boolean | Promise<boolean> {
    return this.#options.keepsAll?.() ?? false
  }

  #touch(key: K, activation: Activation<A> & { kind: 'active' }): void {
    activation.lastUsedAt = this.#options.clock.monotonic()
    this.#activations.delete(key)
    this.#activations.set(key, activation)
  }

  #load(key: K): Promise<A> {
    const loaded = this.#options.load(key)
    const loading: Activation<A> = { kind: 'loading', loaded }
    this.#activations.set(key, loading)
    loaded.then(
      (actor) => {
        if (this.#activations.get(key) !== loading) return
        const lastUsedAt = this.#options.clock.monotonic()
        this.#activations.set(key, { kind: 'active', actor, lastUsedAt })
      },
      () => {
        // The callers have the failure; the next one loads again.
        if (this.#activations.get(key) === loading) this.#activations.delete(key)
      },
    )
    return loaded
  }

  #end(key: K, actor: A, reason: PassivationReason): Promise<void> {
    const { log } = this.#options
    const gone = actor
      .passivate(reason)
      .catch((error: unknown) => log.warn('passivation failed', { key: String(key), error }))
      .then(() => {
        if (this.#activations.get(key) === entry) this.#activations.delete(key)
      })
    const entry: Activation<A> = { kind: 'passivating', reason, gone }
    this.#activations.set(key, entry)
    return gone
  }

  /** @throws {AppError} when no activation can be given up for another. */
  async #makeRoom(): Promise<void> {
    const { activationsMax } = this.#options
    if (this.#activations.size < activationsMax) return
    if (await this.#mustKeepAll())
      throw new AppError('unavailable', 'no activation can be given up for another')
    for (const [key, activation] of this.#activations) {
      if (activation.kind !== 'active' || activation.actor.busy()) continue
      await this.#end(key, activation.actor, 'idle')
      if (this.#activations.size < activationsMax) return
    }
    throw new AppError('resource_exhausted', 'every activation is busy')
  }
}
