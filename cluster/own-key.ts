import type { Clock } from '../src/core/clock.ts'
import { MEMBER_DEAD_MS, MEMBER_RENEW_MS, MEMBER_TTL_MS } from '../src/core/limits/limits.ts'
import type { Log } from '../src/core/log.ts'
import { isCode } from './is-code.ts'
import { formatMember, memberKey, parseRecord } from './members/member-record.ts'
import type { RemovedReason } from './members/member-store.ts'
import type { Registry, RegistryEntry } from './members/registry.ts'
import type { Standing } from './members/renewals.ts'
import type { Member } from './members/view.ts'

/** `unknown`: the store did not answer, and may or may not have done it. */
export type Renewal = 'renewed' | 'unknown' | RemovedReason

/**
 * The key of this process. Only this process writes it, but for those that remove it; so a write
 * whose outcome is unknown is found out by reading it back. Calls run one after the other.
 */
export type OwnKey = {
  readonly key: string
  /** The newest one known. */
  revision(): number
  /** Revision at which the key was created, the last time. */
  joinedAt(): number
  /** @throws {AppError} `already_exists`; `unavailable`. */
  create(): Promise<void>
  /** Renews the key, and makes it again when it is gone without a word. */
  renew(): Promise<Renewal>
  /** Written by the next renewal. */
  setState(state: Member['state']): void
  /** Removes the key, as well as that can be done: else others find it silent. Never rejects. */
  leave(): Promise<void>
}

export type OwnKeyDeps = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly standing: Standing
}

const TRIES_MAX = 3
/** Confirmed renewals in a row after which another member may have judged this one. */
const JUDGE_BEATS = MEMBER_DEAD_MS / MEMBER_RENEW_MS

export function createOwnKey(deps: OwnKeyDeps, self: Member): OwnKey {
  const { registry, clock, log, random, standing } = deps
  const key = memberKey(self)
  /** Writes whose outcome is not known, by nonce, with the time at which they were sent. */
  const pending = new Map<string, number>()
  let member = self
  let revision = 0
  let joinedAt = 0
  let unsure = false
  let left = false
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run)
    last = next.catch(() => {
      // Told to whoever asked for it.
    })
    return next
  }

  const confirm = (nextRevision: number, sentAt: number) => {
    revision = nextRevision
    unsure = false
    pending.clear()
    standing.confirm(sentAt, clock.monotonic())
  }

  /** Sends the member as it is now. @throws {AppError} as the registry. */
  const write = async (how: (value: string) => Promise<number>): Promise<void> => {
    const nonce = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
    const sentAt = clock.monotonic()
    pending.set(nonce, sentAt)
    const value = formatMember({ member, joinedAt, beats: standing.beats(), nonce })
    try {
      confirm(await how(value), sentAt)
    } catch (error) {
      if (isCode(error, 'unavailable')) unsure = true
      else pending.delete(nonce)
      throw error
    }
  }

  const make = async (): Promise<void> => {
    joinedAt = 0
    await write((value) => registry.create(key, value))
    joinedAt = revision
  }

  /**
   * Reads the key back: a write that was found there is confirmed as of the time it was sent, and
   * what is older is where the next write goes on from.
   */
  const readBack = async (): Promise<'confirmed' | 'behind' | 'absent' | RemovedReason> => {
    const entry = await registry.get(key)
    if (entry === undefined) return 'absent'
    const parsed = parseRecord(key, entry.value)
    if (parsed.kind === 'gone') {
      if (member.role !== 'gateway') return parsed.reason
      // It owns nothing that others could have taken: it goes on.
      log.warn('this gateway was taken for dead', { reason: parsed.reason })
    }
    const sentAt = parsed.kind === 'member' ? pending.get(parsed.record.nonce) : undefined
    if (sentAt === undefined) {
      revision = entry.revision
      unsure = false
      return 'behind'
    }
    confirm(entry.revision, sentAt)
    if (joinedAt === 0) joinedAt = entry.revision
    return 'confirmed'
  }

  /** The key is gone without a word: was this member judged, and the word forgotten since? */
  const makeAgain = async (): Promise<Renewal> => {
    const silentMs = standing.silentMs(clock.monotonic())
    if (member.role !== 'gateway' && silentMs > MEMBER_TTL_MS / 2) {
      const others = await registry.list()
      if (others.some((entry) => mayHaveJudged(entry, key))) return 'declared_dead'
    }
    await make()
    log.warn('key of this member was gone and is made again', { key })
    return 'renewed'
  }

  const tryRenew = async (): Promise<Renewal | 'again'> => {
    // As long as the store does not answer it is asked, so that no writes pile up.
    if (!unsure) {
      try {
        await write((value) => registry.update(key, value, revision))
        return 'renewed'
      } catch (error) {
        if (!isCode(error, 'aborted')) throw error
      }
    }
    const found = await readBack()
    switch (found) {
      case 'confirmed':
        // What was found may be old by now.
        return standing.silentMs(clock.monotonic()) < MEMBER_RENEW_MS ? 'renewed' : 'again'
      case 'behind':
        return 'again'
      case 'absent':
        return await makeAgain()
      case 'declared_dead':
      case 'replaced':
        return found
      default:
        return found satisfies never
    }
  }

  const renew = async (): Promise<Renewal> => {
    if (left) return 'unknown'
    try {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const outcome = await tryRenew()
        if (outcome !== 'again') return outcome
      }
    } catch (error) {
      log.debug('renewal is not confirmed', { error })
    }
    standing.doubt()
    return 'unknown'
  }

  const create = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await make()
        return
      } catch (error) {
        const mayBeOurs = pending.size > 0
        if (!mayBeOurs) throw error
        if ((await readBack().catch(() => 'unknown')) === 'confirmed') return
        if (tries >= TRIES_MAX) throw error
      }
    }
  }

  const remove = async (): Promise<void> => {
    left = true
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      try {
        const entry = await registry.get(key)
        if (entry === undefined) return
        revision = entry.revision
        if (parseRecord(key, entry.value).kind === 'gone') return
        await registry.remove(key, revision)
        return
      } catch (error) {
        log.debug('key of this member is not removed yet', { error })
      }
    }
    log.warn('this member could not leave: others will find it silent', { key })
  }

  return {
    key,
    revision: () => revision,
    joinedAt: () => joinedAt,
    create: () => inTurn(create),
    renew: () => inTurn(renew),
    setState(state) {
      member = { ...member, state }
    },
    leave: () => inTurn(remove),
  }
}

function mayHaveJudged({ key, value }: RegistryEntry, ownKey: string): boolean {
  if (key === ownKey) return false
  const parsed = parseRecord(key, value)
  if (parsed.kind !== 'member' || parsed.record.member.role === 'gateway') return false
  return parsed.record.beats >= JUDGE_BEATS
}
