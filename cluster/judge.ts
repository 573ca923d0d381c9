import type { Clock } from '../src/core/clock.ts'
import {
  MEMBER_DEAD_MS,
  MEMBER_FORGET_MS,
  MEMBER_PROBE_MS,
  MEMBER_SUSPECT_MS,
} from '../src/core/limits/limits.ts'
import type { Log } from '../src/core/log.ts'
import { isCode } from './is-code.ts'
import type { MemberFact, MemberFacts } from './member-facts.ts'
import { formatGone } from './members/member-record.ts'
import type { RemovedReason } from './members/member-store.ts'
import type { PortProbe } from './members/port-probe.ts'
import type { Registry } from './members/registry.ts'
import type { Standing } from './members/renewals.ts'
import type { Member } from './members/view.ts'

/** What may be thought of a member that says nothing. */
export type Verdict = 'live' | 'suspect' | 'dead'

/**
 * Judges one member. Only time counts in which the judge's own renewals were confirmed without a
 * pause (`steadySince`): else it is the judge who hears nothing. Pure.
 */
export function verdict(fact: MemberFact, steadySince: number | undefined, now: number): Verdict {
  if (steadySince === undefined) return 'live'
  const silentMs = now - Math.max(fact.heardAt, steadySince)
  if (silentMs >= MEMBER_DEAD_MS) return 'dead'
  return silentMs >= MEMBER_SUSPECT_MS ? 'suspect' : 'live'
}

export type JudgeDeps = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Log
  readonly probe: PortProbe
  readonly facts: MemberFacts
  readonly standing: Standing
  /** Called when the members have changed. */
  readonly changed: () => void
}

/** Removes members for all: it writes into their keys that they are gone. */
export type Judge = {
  /** Looks at all members but this one. Never rejects. */
  look(self: Member): Promise<void>
  /** Removes a member that a newer process has the address of. Never rejects. */
  replace(fact: MemberFact, self: Member): Promise<void>
}

const REPLACE_TRIES_MAX = 5

export function createJudge(deps: JudgeDeps): Judge {
  const { registry, clock, log, probe, facts, standing, changed } = deps
  const replacing = new Set<string>()

  /**
   * On condition that the member has not renewed since `fact`. The word stays in its key, so that a
   * member that wakes up, or comes back after a partition, learns what became of it.
   * @returns whether it was removed by this call.
   */
  const remove = async (fact: MemberFact, reason: RemovedReason, by: string): Promise<boolean> => {
    const value = formatGone(reason, by)
    try {
      const revision =
        fact.absentSince === undefined
          ? await registry.update(fact.key, value, fact.revision)
          : await registry.create(fact.key, value)
      const { id, address } = fact.member
      log.warn('member is removed', { member: id, address, reason })
      if (facts.put({ key: fact.key, value, revision }, clock.monotonic())) changed()
      return true
    } catch (error) {
      if (!isCode(error, 'unavailable')) return false
      log.debug('member could not be removed', { member: fact.member.id, error })
      return false
    }
  }

  const refuses = async (address: string): Promise<boolean> => {
    const late = new AbortController()
    const deadline = clock.sleep(MEMBER_PROBE_MS, late.signal).then(
      () => false,
      () => false,
    )
    try {
      return await Promise.race([probe(address), deadline])
    } catch (error) {
      log.debug('port of a silent member could not be tried', { address, error })
      return false
    } finally {
      late.abort()
    }
  }

  const judge = async (fact: MemberFact, self: Member): Promise<void> => {
    const steadySince = standing.steadySince(clock.monotonic())
    const first = verdict(fact, steadySince, clock.monotonic())
    if (first === 'live') return
    if (first === 'suspect') {
      if (!(await refuses(fact.member.address))) return
      // The probe took its time, in which this process may have lost its own standing.
      if (standing.steadySince(clock.monotonic()) !== steadySince) return
    }
    await remove(fact, 'declared_dead', self.id)
  }

  const reread = async ({ key }: MemberFact): Promise<void> => {
    try {
      const entry = await registry.get(key)
      if (entry !== undefined && facts.put(entry, clock.monotonic())) changed()
    } catch (error) {
      log.debug('key of a member could not be read', { key, error })
    }
  }

  /** Gateways judge nobody; but a key that has been missing for so long belongs to nobody. */
  const forget = (fact: MemberFact): void => {
    const now = clock.monotonic()
    const steadySince = standing.steadySince(now)
    if (steadySince === undefined || fact.absentSince === undefined) return
    if (now - Math.max(fact.absentSince, steadySince) < MEMBER_FORGET_MS) return
    facts.forget(fact.key)
    changed()
  }

  return {
    async look(self) {
      const others = facts.all().filter(({ member }) => member.id !== self.id)
      if (self.role === 'gateway') others.forEach(forget)
      else await Promise.all(others.map((fact) => judge(fact, self)))
    },
    async replace(fact, self) {
      if (replacing.has(fact.key)) return
      replacing.add(fact.key)
      try {
        // It goes on renewing until it learns.
        for (let tries = 0; tries < REPLACE_TRIES_MAX; tries++) {
          const current = facts.get(fact.key)
          if (current === undefined || (await remove(current, 'replaced', self.id))) return
          await reread(current)
        }
      } finally {
        replacing.delete(fact.key)
      }
    },
  }
}
