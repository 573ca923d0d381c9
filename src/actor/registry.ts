import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { Log } from '../core/log.ts'

/** Why an activation ended. */
export type PassivationReason =
  | 'idle'
  | 'handoff'
  | 'lease_lost'
  | 'fenced'
  | 'removed'
  | 'fault'
  | 'shutdown'

/** What the registry asks of an actor. */
export type Actor = {
  /** True while turns wait or run: such an activation is not passivated for being idle. */
  busy(): boolean
  /** Ends the actor: refuses new turns and resolves when the accepted ones have ended. */
  passivate(reason: PassivationReason): Promise<void>
}

/**
 * States of one activation. `loading` -> `active` -> `passivating` -> gone. A load that fails goes
 * straight to gone, and whoever comes next loads again.
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
   * Asked before activations are given up: true while they could not be loaded again, and then they
   * stay. Never when absent.
   */
  keepsAll?: () => boolean | Promise<boolean>
  clock: Clock
  log: Log
}

/** Activations of this worker: loaded once for many callers, capped, idle ones passivated. */
export function createRegistry<K, A extends Actor>(options: RegistryOptions<K, A>): Registry<K, A> {
  const { clock, log, keepsAll = () => false } = options
  // In order of last use, because `touch` moves an entry to the end.
  const activations = new Map<K, Activation<A>>()
  let closed = false

  const touch = (key: K, activation: Activation<A> & { kind: 'active' }) => {
    activation.lastUsedAt = clock.monotonic()
    activations.delete(key)
    activations.set(key, activation)
  }

  const load = (key: K): Promise<A> => {
    const loaded = options.load(key)
    const loading: Activation<A> = { kind: 'loading', loaded }
    activations.set(key, loading)
    loaded.then(
      (actor) => {
        if (activations.get(key) !== loading) return
        activations.set(key, { kind: 'active', actor, lastUsedAt: clock.monotonic() })
      },
      () => {
        // The callers have the failure; the next one loads again.
        if (activations.get(key) === loading) activations.delete(key)
      },
    )
    return loaded
  }

  const end = (key: K, actor: A, reason: PassivationReason): Promise<void> => {
    const gone = actor
      .passivate(reason)
      .catch((error: unknown) => log.warn('passivation failed', { key: String(key), error }))
      .then(() => {
        if (activations.get(key) === entry) activations.delete(key)
      })
    const entry: Activation<A> = { kind: 'passivating', reason, gone }
    activations.set(key, entry)
    return gone
  }

  const makeRoom = async (): Promise<void> => {
    if (activations.size < options.activationsMax) return
    if (await keepsAll())
      throw new AppError('unavailable', 'no activation can be given up for another')
    for (const [key, activation] of activations) {
      if (activation.kind !== 'active' || activation.actor.busy()) continue
      await end(key, activation.actor, 'idle')
      if (activations.size < options.activationsMax) return
    }
    throw new AppError('resource_exhausted', 'every activation is busy')
  }

  const get = async (key: K): Promise<A> => {
    for (;;) {
      if (closed) throw new AppError('unavailable', 'worker is shutting down')
      const activation = activations.get(key)
      if (activation === undefined) {
        await makeRoom()
        if (!activations.has(key) && !closed) return load(key)
        continue
      }
      switch (activation.kind) {
        case 'loading':
          return activation.loaded
        case 'active':
          touch(key, activation)
          return activation.actor
        case 'passivating':
          await activation.gone
          break
        default:
          activation satisfies never
      }
    }
  }

  const passivate = async (key: K, reason: PassivationReason): Promise<void> => {
    const activation = activations.get(key)
    if (activation === undefined) return
    if (activation.kind === 'passivating') return activation.gone
    if (activation.kind === 'active') return end(key, activation.actor, reason)
    const actor = await activation.loaded.catch(() => undefined) // A failed load leaves nothing.
    if (actor !== undefined) await end(key, actor, reason)
  }

  return {
    peek(key) {
      const activation = activations.get(key)
      if (activation?.kind !== 'active') return undefined
      touch(key, activation)
      return activation.actor
    },
    get,
    size: () => activations.size,
    async sweep() {
      if (await keepsAll()) return
      const idleSince = clock.monotonic() - options.idleMs
      for (const [key, activation] of [...activations]) {
        if (activation.kind !== 'active') continue
        if (activation.lastUsedAt > idleSince || activation.actor.busy()) continue
        await end(key, activation.actor, 'idle')
      }
    },
    passivate,
    async close() {
      closed = true
      await Promise.all([...activations.keys()].map((key) => passivate(key, 'shutdown')))
    },
  }
}
