/**
 * The registry key of this process. Only this process writes it, except for members that remove
 * it. So a write whose outcome is unknown is found out by reading the key back. Calls run in order,
 * one at a time. `leave` is final: later renewals do nothing.
 */
import type { Clock } from '../../src/core/clock.ts'
import { hasCode } from '../../src/core/code.ts'
import { MEMBER_DEAD_MS, MEMBER_RENEW_MS, MEMBER_TTL_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { formatMember, memberKey, parseRecord } from './member-record.ts'
import type { RemovedReason } from './member-store.ts'
import type { Registry, RegistryEntry } from './registry.ts'
import type { Renewals } from './renewals.ts'
import type { Member } from './view.ts'

/** `unknown`: the registry did not answer, and may or may not have stored the renewal. */
export type RenewalOutcome = 'renewed' | 'unknown' | RemovedReason

export type OwnKey = {
  readonly key: string
  /** The newest known revision. */
  revision(): number
  /** Revision at which the key was last created. */
  joinedAt(): number
  /** @throws {AppError} `already_exists`; `unavailable`. */
  create(): Promise<void>
  /** Renews the key. Creates it again when it is missing and no removal is known. */
  renew(): Promise<RenewalOutcome>
  /** The next renewal writes this state. */
  setState(state: Member['state']): void
  /** Tries to remove the key. When that fails, others find this member silent. Never rejects. */
  leave(): Promise<void>
}

export type OwnKeyDeps = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly renewals: Renewals
}

const TRIES_MAX = 3
/** Confirmed renewals in a row after which a member may declare this one dead. */
const DETECTOR_BEATS = MEMBER_DEAD_MS / MEMBER_RENEW_MS

export function createOwnKey(deps: OwnKeyDeps, self: Member): OwnKey {
  return new RegistryOwnKey(deps, self)
}

class RegistryOwnKey implements OwnKey {
  readonly key: string
  readonly #deps: OwnKeyDeps
  /** Writes whose outcome is unknown: the time at which each was sent, by nonce. */
  readonly #pending = new Map<string, number>()
  #member: Member
  #revision = 0
  #joinedAt = 0
  /** True after a write whose outcome is unknown, until the key has been read back. */
  #isUnsure = false
  #hasLeft = false
  /** Ends with the last call. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(deps: OwnKeyDeps, self: Member) {
    this.#deps = deps
    this.#member = self
    this.key = memberKey(self)
  }

  revision(): number {
    return this.#revision
  }

  joinedAt(): number {
    return this.#joinedAt
  }

  create(): Promise<void> {
    return this.#inOrder(() => this.#createSurely())
  }

  renew(): Promise<RenewalOutcome> {
    return this.#inOrder(() => this.#renew())
  }

  setState(state: Member['state']): void {
    this.#member = { ...this.#member, state }
  }

  leave(): Promise<void> {
    return this.#inOrder(() => this.#remove())
  }

  #inOrder<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#tail.then(run)
    this.#tail = next.catch(() => {
      // The caller has the failure.
    })
    return next
  }

  async #createSurely(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#create()
        return
      } catch (error) {
        const mayBeStored = this.#pending.size > 0
        if (!mayBeStored) throw error
        if ((await this.#readBack().catch(() => 'unknown')) === 'confirmed') return
        if (tries >= TRIES_MAX) throw error
      }
    }
  }

  async #create(): Promise<void> {
    this.#joinedAt = 0
    await this.#write((value) => this.#deps.registry.create(this.key, value))
    this.#joinedAt = this.#revision
  }

  async #renew(): Promise<RenewalOutcome> {
    if (this.#hasLeft) return 'unknown'
    try {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const outcome = await this.#tryRenew()
        if (outcome !== 'again') return outcome
      }
    } catch (error) {
      this.#deps.log.debug('renewal is not confirmed', { error })
    }
    this.#deps.renewals.interrupt()
    return 'unknown'
  }

  async #tryRenew(): Promise<RenewalOutcome | 'again'> {
    // After an unknown outcome the key is read first, so that no writes pile up.
    if (!this.#isUnsure) {
      try {
        await this.#write((value) => this.#deps.registry.update(this.key, value, this.#revision))
        return 'renewed'
      } catch (error) {
        if (!hasCode(error, 'aborted')) throw error
      }
    }
    const found = await this.#readBack()
    switch (found) {
      case 'confirmed':
        // The renewal that was found may be old by now.
        return this.#silentMs() < MEMBER_RENEW_MS ? 'renewed' : 'again'
      case 'behind':
        return 'again'
      case 'absent':
        return await this.#createAgain()
      case 'declared_dead':
      case 'replaced':
        return found
      default:
        return found satisfies never
    }
  }

  /** Writes the member as it is now. @throws {AppError} as the registry. */
  async #write(send: (value: string) => Promise<number>): Promise<void> {
    const { clock, random, renewals } = this.#deps
    const nonce = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
    const sentAt = clock.monotonic()
    this.#pending.set(nonce, sentAt)
    const member = this.#member
    const joinedAt = this.#joinedAt
    const beats = renewals.beats()
    const value = formatMember({ member, joinedAt, beats, nonce })
    try {
      this.#confirm(await send(value), sentAt)
    } catch (error) {
      if (hasCode(error, 'unavailable')) this.#isUnsure = true
      else this.#pending.delete(nonce)
      throw error
    }
  }

  #confirm(revision: number, sentAt: number): void {
    this.#revision = revision
    this.#isUnsure = false
    this.#pending.clear()
    this.#deps.renewals.confirm(sentAt, this.#deps.clock.monotonic())
  }

  /**
   * Reads the key. A pending write that is found there is confirmed as of the time it was sent. An
   * older value gives the revision on which the next write builds.
   */
  async #readBack(): Promise<'confirmed' | 'behind' | 'absent' | RemovedReason> {
    const entry = await this.#deps.registry.get(this.key)
    if (entry === undefined) return 'absent'
    const parsed = parseRecord(this.key, entry.value)
    if (parsed.kind === 'gone') {
      if (this.#member.role !== 'gateway') return parsed.reason
      // A gateway owns nothing that others could have taken: it continues.
      this.#deps.log.warn('this gateway was declared dead', { reason: parsed.reason })
    }
    const sentAt = parsed.kind === 'member' ? this.#pending.get(parsed.record.nonce) : undefined
    if (sentAt === undefined) {
      this.#revision = entry.revision
      this.#isUnsure = false
      return 'behind'
    }
    this.#confirm(entry.revision, sentAt)
    if (this.#joinedAt === 0) this.#joinedAt = entry.revision
    return 'confirmed'
  }

  /** The key is missing: this member may have been removed, and the removal forgotten since. */
  async #createAgain(): Promise<RenewalOutcome> {
    const { registry, log } = this.#deps
    if (this.#member.role !== 'gateway' && this.#silentMs() > MEMBER_TTL_MS / 2) {
      const others = await registry.list()
      if (others.some((entry) => mayHaveRemoved(entry, this.key))) return 'declared_dead'
    }
    await this.#create()
    log.warn('key of this member was gone and is made again', { key: this.key })
    return 'renewed'
  }

  #silentMs(): number {
    return this.#deps.renewals.silentMs(this.#deps.clock.monotonic())
  }

  async #remove(): Promise<void> {
    const { registry, log } = this.#deps
    this.#hasLeft = true
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      try {
        const entry = await registry.get(this.key)
        if (entry === undefined) return
        this.#revision = entry.revision
        if (parseRecord(this.key, entry.value).kind === 'gone') return
        await registry.remove(this.key, this.#revision)
        return
      } catch (error) {
        log.debug('key of this member is not removed yet', { error })
      }
    }
    log.warn('this member could not leave: others will declare it dead', { key: this.key })
  }
}

/** True when the key is of another worker that has run for long enough to remove members. */
function mayHaveRemoved({ key, value }: RegistryEntry, ownKey: string): boolean {
  if (key === ownKey) return false
  const parsed = parseRecord(key, value)
  if (parsed.kind !== 'member' || parsed.record.member.role === 'gateway') return false
  return parsed.record.beats >= DETECTOR_BEATS
}
