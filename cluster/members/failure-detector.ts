/**
 * Decides which members have failed, and removes them for all: it writes into their keys that they
 * are gone. Gateways remove no member.
 */

import type { Clock } from '../../src/core/clock.ts'
import { hasCode } from '../../src/core/code.ts'
import { within } from '../../src/core/deadline.ts'
import { MEMBER_DEAD_MS, MEMBER_PROBE_MS, MEMBER_SUSPECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { MemberFact, MemberFacts } from './member-facts.ts'
import { formatGone } from './member-record.ts'
import type { RemovedReason } from './member-store.ts'
import type { PortProbe } from './port-probe.ts'
import type { Registry } from './registry.ts'
import type { Renewals } from './renewals.ts'
import type { Member } from './view.ts'

/** Time after which gateways drop a member whose key is missing without a reason. */
const MEMBER_FORGET_MS = 60_000

/** State of a member by the time since its last renewal. */
export type Verdict = 'live' | 'suspect' | 'dead'

/**
 * The verdict on one member. Only time counts in which this process's own renewals were confirmed
 * without a pause (`steadySince`): otherwise it may be this process that is cut off. Pure.
 */
export function verdict(fact: MemberFact, steadySince: number | undefined, now: number): Verdict {
  if (steadySince === undefined) return 'live'
  const silentMs = now - Math.max(fact.changedAt, steadySince)
  if (silentMs >= MEMBER_DEAD_MS) return 'dead'
  return silentMs >= MEMBER_SUSPECT_MS ? 'suspect' : 'live'
}

export type FailureDetectorDeps = {
  readonly registry: Pick<Registry, 'get' | 'create' | 'update'>
  readonly clock: Clock
  readonly log: Log
  readonly probe: PortProbe
  readonly facts: MemberFacts
  readonly renewals: Pick<Renewals, 'steadySince'>
  /** Called when the members have changed. */
  readonly onChange: () => void
}

export type FailureDetector = {
  /** Checks all members but this one. Never rejects. */
  check(self: Member): Promise<void>
  /** Removes a member whose address a newer process has. Never rejects. */
  replace(fact: MemberFact, self: Member): Promise<void>
}

const REPLACE_TRIES_MAX = 5

export function createFailureDetector(deps: FailureDetectorDeps): FailureDetector {
  const { facts } = deps
  const replacing = new Set<string>()

  return {
    async check(self) {
      const others = facts.all().filter(({ member }) => member.id !== self.id)
      if (self.role === 'gateway') {
        for (const fact of others) forgetAbsent(deps, fact)
      } else await Promise.all(others.map((fact) => checkMember(deps, fact, self)))
    },
    async replace(fact, self) {
      if (replacing.has(fact.key)) return
      replacing.add(fact.key)
      try {
        // The older process keeps renewing until it reads that it was removed.
        for (let tries = 0; tries < REPLACE_TRIES_MAX; tries++) {
          const current = facts.get(fact.key)
          if (current === undefined || (await remove(deps, current, 'replaced', self.id))) return
          await reread(deps, current)
        }
      } finally {
        replacing.delete(fact.key)
      }
    },
  }
}

async function checkMember(
  deps: FailureDetectorDeps,
  fact: MemberFact,
  self: Member,
): Promise<void> {
  const { renewals, clock } = deps
  const steadySince = renewals.steadySince(clock.monotonic())
  const first = verdict(fact, steadySince, clock.monotonic())
  if (first === 'live') return
  if (first === 'suspect') {
    if (!(await refusesConnections(deps, fact.member.address))) return
    // While the probe ran, this process's own renewals may have failed.
    if (renewals.steadySince(clock.monotonic()) !== steadySince) return
  }
  await remove(deps, fact, 'declared_dead', self.id)
}

/**
 * Removes a member on condition that it has not renewed since `fact`. The reason stays in its key,
 * where a member that wakes up, or returns after a partition, finds it.
 * @returns whether this call has removed it.
 */
async function remove(
  { registry, clock, log, facts, onChange }: FailureDetectorDeps,
  fact: MemberFact,
  reason: RemovedReason,
  by: string,
): Promise<boolean> {
  const value = formatGone(reason, by)
  try {
    const revision =
      fact.absentSince === undefined
        ? await registry.update(fact.key, value, fact.revision)
        : await registry.create(fact.key, value)
    const { id, address } = fact.member
    log.warn('member is removed', { member: id, address, reason })
    if (facts.put({ key: fact.key, value, revision }, clock.monotonic())) onChange()
    return true
  } catch (error) {
    if (!hasCode(error, 'unavailable')) return false
    log.debug('member could not be removed', { member: fact.member.id, error })
    return false
  }
}

async function refusesConnections(
  { clock, log, probe }: FailureDetectorDeps,
  address: string,
): Promise<boolean> {
  const deadline = { ms: MEMBER_PROBE_MS, keepsAlive: true }
  try {
    return await within(clock, deadline, probe(address), () => false)
  } catch (error) {
    log.debug('port of a silent member could not be tried', { address, error })
    return false
  }
}

async function reread(
  { registry, clock, log, facts, onChange }: FailureDetectorDeps,
  { key }: MemberFact,
): Promise<void> {
  try {
    const entry = await registry.get(key)
    if (entry !== undefined && facts.put(entry, clock.monotonic())) onChange()
  } catch (error) {
    log.debug('key of a member could not be read', { key, error })
  }
}

/** Gateways remove no member, but drop one whose key has been missing for MEMBER_FORGET_MS. */
function forgetAbsent(
  { renewals, clock, facts, onChange }: FailureDetectorDeps,
  fact: MemberFact,
): void {
  const now = clock.monotonic()
  const steadySince = renewals.steadySince(now)
  if (steadySince === undefined || fact.absentSince === undefined) return
  if (now - Math.max(fact.absentSince, steadySince) < MEMBER_FORGET_MS) return
  facts.forget(fact.key)
  onChange()
}
