/**
 * Membership over a registry that all members share. Each process renews one key of its own.
 *
 *   observer -> (join) -> member -> (leave, removed by others) -> observer
 *
 * - An observer only reads; a member also renews its key every second (`own-key.ts`).
 * - The view is what the registry said last (`member-facts.ts`): by its watch at once, and by a list
 *   every 5 s, because the watch may miss changes.
 * - Workers remove silent members (`failure-detector.ts`). While the registry does not answer, no
 *   renewal is confirmed, so no member is removed and the view is frozen.
 * - `close` ends both loops. It neither leaves nor closes the registry.
 *
 * Time, timers, randomness and the probe are parameters, so that a simulation runs it.
 */
import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import {
  MEMBER_CONFIRMED_MS,
  MEMBER_RENEW_MS,
  MEMBER_SUSPECT_MS,
  REGISTRY_OP_MS,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { createFailureDetector, type FailureDetector } from './failure-detector.ts'
import { createMemberFacts, type MemberFacts } from './member-facts.ts'
import { CLUSTER_PROTOCOL, parseRecord } from './member-record.ts'
import type { MemberStore, RemovedReason } from './member-store.ts'
import { createOwnKey, type OwnKey } from './own-key.ts'
import type { PortProbe } from './port-probe.ts'
import type { Registry, RegistryEntry, RegistryEvent } from './registry.ts'
import { createRenewals, type Renewals } from './renewals.ts'
import { EMPTY_VIEW, type Member, type View } from './view.ts'
import { createWakeablePause, type WakeablePause } from './wakeable-pause.ts'

/** Interval of reading all keys beside the watch, which may miss some. */
const MEMBER_POLL_MS = 5_000
/** Silent members are looked for this often. */
const MEMBER_JUDGE_MS = 500

export type MembershipDeps = {
  readonly registry: Registry
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly probe: PortProbe
}

/** Begins to read the registry at once. */
export function createMembership(deps: MembershipDeps): MemberStore {
  return new RegistryMembership(deps)
}

/** This process as a member. */
type Self = { readonly member: Member; readonly ownKey: OwnKey }

class RegistryMembership implements MemberStore {
  readonly removed: Promise<RemovedReason>
  readonly #deps: MembershipDeps
  readonly #facts: MemberFacts
  readonly #renewals: Renewals
  readonly #detector: FailureDetector
  readonly #renewPause: WakeablePause
  readonly #checkPause: WakeablePause
  readonly #listeners = new Set<(view: View) => void>()
  readonly #loops: Promise<void>[] = []
  #resolveRemoved: (reason: RemovedReason) => void = () => {}
  #view: View = EMPTY_VIEW
  /** Undefined for an observer. */
  #self: Self | undefined
  #isJoining = false
  #isClosed = false
  /** Monotonic time at which the last call that the registry has answered was sent. */
  #contactAt = Number.NEGATIVE_INFINITY
  /** The same of the last list. */
  #listAt = Number.NEGATIVE_INFINITY

  constructor(deps: MembershipDeps) {
    const { registry, clock, log, probe } = deps
    this.#deps = deps
    this.#facts = createMemberFacts(log)
    this.#renewals = createRenewals()
    this.#renewPause = createWakeablePause(clock)
    this.#checkPause = createWakeablePause(clock)
    this.removed = new Promise((resolve) => {
      this.#resolveRemoved = resolve
    })
    this.#detector = createFailureDetector({
      registry,
      clock,
      log,
      probe,
      facts: this.#facts,
      renewals: this.#renewals,
      onChange: () => this.#publish(),
    })
    this.#loops.push(this.#checkLoop())
  }

  view(): View {
    return this.#view
  }

  subscribe(listener: (view: View) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async join(member: Member): Promise<void> {
    if (this.#self?.member.id === member.id) throw alreadyExists(member)
    if (this.#self !== undefined || this.#isJoining || this.#isClosed) {
      throw new AppError('failed_precondition', 'a process is a member once')
    }
    this.#isJoining = true
    try {
      await this.#join(member)
    } finally {
      this.#isJoining = false
    }
  }

  async setState(id: string, state: Member['state']): Promise<void> {
    if (this.#self?.member.id !== id) return refuseOthers(this.#view, id)
    const { ownKey } = this.#self
    const known = this.#view.members.find((member) => member.id === id)
    if (known?.state === state) return
    ownKey.setState(state)
    const outcome = await ownKey.renew()
    if (outcome === 'unknown') {
      throw new AppError('unavailable', `the registry has not confirmed that ${id} is ${state}`)
    }
    if (outcome === 'renewed') await this.#tryList()
  }

  async leave(id: string): Promise<void> {
    if (this.#self?.member.id !== id) return refuseOthers(this.#view, id)
    const { ownKey } = this.#self
    this.#self = undefined
    this.#renewPause.wake()
    await ownKey.leave()
    if (this.#facts.removed(ownKey.key, ownKey.revision())) this.#publish()
  }

  confirmed(): boolean {
    return this.#self !== undefined && this.#renewals.confirmed(this.#deps.clock.monotonic())
  }

  connected(): boolean {
    const silentMs = this.#deps.clock.monotonic() - this.#contactAt
    const observerMs = MEMBER_POLL_MS + 2 * REGISTRY_OP_MS
    const boundMs = this.#self === undefined ? observerMs : MEMBER_CONFIRMED_MS
    return this.#deps.registry.connected() && silentMs < boundMs
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    this.#renewPause.close()
    this.#checkPause.close()
    await Promise.all(this.#loops)
  }

  async #join(member: Member): Promise<void> {
    const { registry, clock, log, random } = this.#deps
    const entries = await this.#list()
    await refuseForeignMembers(entries, { clock, list: () => this.#list() })
    if (this.#facts.members().some(({ id }) => id === member.id)) throw alreadyExists(member)
    const renewals = this.#renewals
    const ownKey = createOwnKey({ registry, clock, log, random, renewals }, member)
    await ownKey.create()
    const self = { member, ownKey }
    this.#self = self
    this.#contactAt = clock.monotonic()
    await this.#tryList()
    await this.#replaceOlder()
    this.#loops.push(this.#renewLoop(self))
  }

  async #renewLoop(self: Self): Promise<void> {
    const { clock } = this.#deps
    while (!this.#isClosed && this.#self === self) {
      const startedAt = clock.monotonic()
      const outcome = await self.ownKey.renew()
      if (this.#self !== self) return
      if (outcome === 'declared_dead' || outcome === 'replaced') {
        this.#becomeRemoved(self, outcome)
        return
      }
      if (outcome === 'renewed') this.#contactAt = startedAt
      const period = outcome === 'renewed' ? MEMBER_RENEW_MS : MEMBER_RENEW_MS / 4
      await this.#renewPause.pause(startedAt + period - clock.monotonic())
    }
  }

  #becomeRemoved({ member }: Self, reason: RemovedReason): void {
    this.#deps.log.warn('this member was removed by others', { reason, member: member.id })
    this.#self = undefined
    this.#resolveRemoved(reason)
  }

  async #checkLoop(): Promise<void> {
    const { registry, log, random } = this.#deps
    const receive = (event: RegistryEvent) => this.#receive(event)
    const unwatch = await registry.watch(receive).catch((error: unknown) => {
      log.warn('registry of members cannot be watched: it is polled', { error })
      return undefined
    })
    while (!this.#isClosed) {
      try {
        await this.#check()
      } catch (error) {
        log.debug('members could not be checked', { error })
      }
      await this.#checkPause.pause(MEMBER_JUDGE_MS * (0.9 + random() / 5))
    }
    unwatch?.()
  }

  async #check(): Promise<void> {
    const { registry, clock } = this.#deps
    const isDue = this.#facts.takeListNeeded() || clock.monotonic() - this.#listAt >= MEMBER_POLL_MS
    const isOneAbsent = this.#facts.all().some(({ absentSince }) => absentSince !== undefined)
    if ((isDue || isOneAbsent) && registry.connected()) await this.#list()
    await this.#replaceOlder()
    if (this.#self !== undefined) await this.#detector.check(this.#self.member)
  }

  #receive(event: RegistryEvent): void {
    if (this.#isClosed) return
    const key = event.kind === 'put' ? event.entry.key : event.key
    const hasChanged =
      event.kind === 'put'
        ? this.#facts.put(event.entry, this.#deps.clock.monotonic())
        : this.#facts.removed(event.key, event.revision)
    if (!hasChanged) return
    this.#publish()
    const isOwn = key === this.#self?.ownKey.key && this.#facts.get(key) === undefined
    // Other members or an operator have removed the own key: the renewal finds out which.
    if (isOwn) this.#renewPause.wake()
    else void this.#replaceOlder()
  }

  async #list(): Promise<readonly RegistryEntry[]> {
    const { registry, clock } = this.#deps
    const countBefore = this.#facts.changeCount()
    const sentAt = clock.monotonic()
    const entries = await registry.list()
    this.#contactAt = sentAt
    this.#listAt = sentAt
    if (this.#facts.listed(entries, countBefore, clock.monotonic())) this.#publish()
    return entries
  }

  /** Applies a write of this process to the view, before the watch does. */
  async #tryList(): Promise<void> {
    try {
      await this.#list()
    } catch (error) {
      this.#deps.log.debug('members could not be listed yet', { error })
    }
  }

  /** Removes older processes with the address of this one. Gateways may share their address. */
  async #replaceOlder(): Promise<void> {
    if (this.#self === undefined || this.#self.member.role === 'gateway') return
    const { member, ownKey } = this.#self
    const older = this.#facts.all().filter((fact) => {
      const other = fact.member
      if (other.id === member.id || other.role === 'gateway') return false
      return other.address === member.address && fact.joinedAt < ownKey.joinedAt()
    })
    await Promise.all(older.map((fact) => this.#detector.replace(fact, member)))
  }

  #publish(): void {
    this.#view = { version: this.#view.version + 1, members: this.#facts.members() }
    for (const listener of [...this.#listeners]) listener(this.#view)
  }
}

function alreadyExists({ id }: Member): AppError {
  return new AppError('already_exists', `member ${id} is in the view already`)
}

/** Refuses a second writer of a key. */
function refuseOthers(view: View, id: string): void {
  if (!view.members.some((member) => member.id === id)) return
  throw new AppError('failed_precondition', `only member ${id} itself can change what it is`)
}

/**
 * Refuses to join a cluster with a live member of another protocol. A key that is not renewed any
 * more does not count: so keys of another protocol are listed again after MEMBER_SUSPECT_MS.
 * @param entries every key, as listed just now.
 * @throws {AppError} `failed_precondition` that names the other member; errors of `list`.
 */
async function refuseForeignMembers(
  entries: readonly RegistryEntry[],
  { clock, list }: { clock: Clock; list: () => Promise<readonly RegistryEntry[]> },
): Promise<void> {
  const foreign = entries.filter(({ key, value }) => parseRecord(key, value).kind === 'foreign')
  if (foreign.length === 0) return
  await clock.sleep(MEMBER_SUSPECT_MS)
  for (const { key, value, revision } of await list()) {
    const parsed = parseRecord(key, value)
    const before = foreign.find((entry) => entry.key === key)
    if (parsed.kind !== 'foreign' || before === undefined || before.revision === revision) continue
    const { about, protocol } = parsed
    const ours = `this process speaks ${CLUSTER_PROTOCOL}`
    const text = `member ${about} speaks cluster protocol ${protocol}, ${ours}: stop it first`
    throw new AppError('failed_precondition', text)
  }
}
