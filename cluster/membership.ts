import type { Clock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import {
  MEMBER_CONFIRMED_MS,
  MEMBER_JUDGE_MS,
  MEMBER_POLL_MS,
  MEMBER_RENEW_MS,
  MEMBER_SUSPECT_MS,
  REGISTRY_OP_MS,
} from '../src/core/limits/limits.ts'
import type { Log } from '../src/core/log.ts'
import { createJudge } from './judge.ts'
import { createMemberFacts } from './member-facts.ts'
import { CLUSTER_PROTOCOL, parseRecord } from './members/member-record.ts'
import type { MemberStore, RemovedReason } from './members/member-store.ts'
import type { PortProbe } from './members/port-probe.ts'
import type { Registry, RegistryEntry, RegistryEvent } from './members/registry.ts'
import { createStanding } from './members/renewals.ts'
import { EMPTY_VIEW, type Member, type View } from './members/view.ts'
import { createPauses } from './members/wakeable-pause.ts'
import { createOwnKey, type OwnKey } from './own-key.ts'

export type MembershipDeps = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Log
  /** From 0 to below 1. */
  readonly random: () => number
  readonly probe: PortProbe
}

type Self = { readonly member: Member; readonly ownKey: OwnKey }

/**
 * Members over a registry that all share. Each process renews one key; its standing
 * (`standing.ts`) follows from what the registry confirmed.
 *
 * - Before `join` it only looks on; after it renews each second; after `leave`, or once others
 *   have removed it, it looks on again.
 * - The view is what the registry told last (`member-facts.ts`): by the watch at once, and by a
 *   list every 5 s, since the watch may miss changes.
 * - Workers remove members that are silent (`judge.ts`). Without the registry nobody is steady, so
 *   that the view freezes.
 *
 * Timers, time, randomness and the probe come from `deps` alone. The registry is left open.
 */
export function createMembership(deps: MembershipDeps): MemberStore {
  const { registry, clock, log, random } = deps
  const facts = createMemberFacts(log)
  const standing = createStanding()
  const listeners = new Set<(view: View) => void>()
  const renewPauses = createPauses(clock)
  const lookPauses = createPauses(clock)
  const loops: Promise<void>[] = []
  let view: View = EMPTY_VIEW
  let self: Self | undefined
  let joining = false
  let closed = false
  let contactAt = Number.NEGATIVE_INFINITY
  let listAt = Number.NEGATIVE_INFINITY
  let tellRemoved: (reason: RemovedReason) => void = () => {
    // Set below.
  }
  const removed = new Promise<RemovedReason>((resolve) => {
    tellRemoved = resolve
  })

  const publish = () => {
    view = { version: view.version + 1, members: facts.members() }
    for (const listener of [...listeners]) listener(view)
  }
  const judge = createJudge({ ...deps, facts, standing, changed: publish })

  /** A process with the address of a newer one has been replaced; gateways may share theirs. */
  const replaceOlder = async (): Promise<void> => {
    if (self === undefined || self.member.role === 'gateway') return
    const { member, ownKey } = self
    const older = facts.all().filter((fact) => {
      const other = fact.member
      if (other.id === member.id || other.role === 'gateway') return false
      return other.address === member.address && fact.joinedAt < ownKey.joinedAt()
    })
    await Promise.all(older.map((fact) => judge.replace(fact, member)))
  }

  const list = async (): Promise<readonly RegistryEntry[]> => {
    const turn = facts.turn()
    const askedAt = clock.monotonic()
    const entries = await registry.list()
    contactAt = askedAt
    listAt = askedAt
    if (facts.listed(entries, turn, clock.monotonic())) publish()
    return entries
  }

  /** Brings the view up to date with what was just written, ahead of the watch. */
  const relist = async (): Promise<void> => {
    try {
      await list()
    } catch (error) {
      log.debug('members could not be listed yet', { error })
    }
  }

  const hear = (event: RegistryEvent) => {
    if (closed) return
    const key = event.kind === 'put' ? event.entry.key : event.key
    const changed =
      event.kind === 'put'
        ? facts.put(event.entry, clock.monotonic())
        : facts.removed(event.key, event.revision)
    if (!changed) return
    publish()
    // Others have removed it, or someone by hand: the renewal finds out which.
    if (key === self?.ownKey.key && facts.get(key) === undefined) renewPauses.wake()
    else void replaceOlder()
  }

  const end = (reason: RemovedReason) => {
    log.warn('this member was removed by others', { reason, member: self?.member.id })
    self = undefined
    tellRemoved(reason)
  }

  const renewOften = async (own: Self): Promise<void> => {
    while (!closed && self === own) {
      const startedAt = clock.monotonic()
      const outcome = await own.ownKey.renew()
      if (self !== own) return
      if (outcome === 'declared_dead' || outcome === 'replaced') {
        end(outcome)
        return
      }
      if (outcome === 'renewed') contactAt = startedAt
      const period = outcome === 'renewed' ? MEMBER_RENEW_MS : MEMBER_RENEW_MS / 4
      await renewPauses.pause(startedAt + period - clock.monotonic())
    }
  }

  const look = async (): Promise<void> => {
    const wanted = facts.wantsList() || clock.monotonic() - listAt >= MEMBER_POLL_MS
    const missing = facts.all().some(({ absentSince }) => absentSince !== undefined)
    if ((wanted || missing) && registry.connected()) await list()
    await replaceOlder()
    if (self !== undefined) await judge.look(self.member)
  }

  const lookOften = async (): Promise<void> => {
    const unwatch = await registry.watch(hear).catch((error: unknown) => {
      log.warn('registry of members cannot be watched: it is polled', { error })
      return undefined
    })
    while (!closed) {
      try {
        await look()
      } catch (error) {
        log.debug('members could not be looked at', { error })
      }
      await lookPauses.pause(MEMBER_JUDGE_MS * (0.9 + random() / 5))
    }
    unwatch?.()
  }
  loops.push(lookOften())

  /** Keys that nobody renews any more bar nobody: those that changed meanwhile are of the living. */
  const refuseForeign = async (entries: readonly RegistryEntry[]): Promise<void> => {
    const foreign = entries.filter(({ key, value }) => parseRecord(key, value).kind === 'foreign')
    if (foreign.length === 0) return
    await clock.sleep(MEMBER_SUSPECT_MS)
    const later = await list()
    for (const { key, value, revision } of later) {
      const parsed = parseRecord(key, value)
      const before = foreign.find((entry) => entry.key === key)
      if (parsed.kind !== 'foreign' || before === undefined || before.revision === revision)
        continue
      const { about, protocol } = parsed
      const ours = `this process speaks ${CLUSTER_PROTOCOL}`
      const text = `member ${about} speaks cluster protocol ${protocol}, ${ours}: stop it first`
      throw new AppError('failed_precondition', text)
    }
  }

  const join = async (member: Member): Promise<void> => {
    const entries = await list()
    await refuseForeign(entries)
    if (facts.members().some(({ id }) => id === member.id)) {
      throw new AppError('already_exists', `member ${member.id} is in the view already`)
    }
    const ownKey = createOwnKey({ registry, clock, log, random, standing }, member)
    await ownKey.create()
    const own = { member, ownKey }
    self = own
    contactAt = clock.monotonic()
    await relist()
    await replaceOlder()
    loops.push(renewOften(own))
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async join(member) {
      if (self?.member.id === member.id) {
        throw new AppError('already_exists', `member ${member.id} is in the view already`)
      }
      if (self !== undefined || joining || closed) {
        throw new AppError('failed_precondition', 'a process is a member once')
      }
      joining = true
      try {
        await join(member)
      } finally {
        joining = false
      }
    },
    async setState(id, state) {
      if (self?.member.id !== id) return refuseOthers(view, id)
      const known = view.members.find((member) => member.id === id)
      if (known?.state === state) return
      self.ownKey.setState(state)
      const outcome = await self.ownKey.renew()
      if (outcome === 'unknown') {
        throw new AppError('unavailable', `the registry has not confirmed that ${id} is ${state}`)
      }
      if (outcome === 'renewed') await relist()
    },
    async leave(id) {
      if (self?.member.id !== id) return refuseOthers(view, id)
      const { ownKey } = self
      self = undefined
      renewPauses.wake()
      await ownKey.leave()
      if (facts.removed(ownKey.key, ownKey.revision())) publish()
    },
    confirmed: () => self !== undefined && standing.confirmed(clock.monotonic()),
    connected() {
      const silentMs = clock.monotonic() - contactAt
      const bound = self === undefined ? MEMBER_POLL_MS + 2 * REGISTRY_OP_MS : MEMBER_CONFIRMED_MS
      return registry.connected() && silentMs < bound
    },
    removed,
    async close() {
      closed = true
      listeners.clear()
      renewPauses.close()
      lookPauses.close()
      await Promise.all(loops)
    },
  }
}

/** A key has one writer. */
function refuseOthers(view: View, id: string): void {
  if (!view.members.some((member) => member.id === id)) return
  throw new AppError('failed_precondition', `only member ${id} itself can change what it is`)
}
