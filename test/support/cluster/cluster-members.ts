/** Several memberships over one registry in memory, on a fake clock. */
import type { Test } from 'tap'
import type { MemberStore, RemovedReason } from '../../../cluster/members/member-store.ts'
import { createMembership } from '../../../cluster/members/membership.ts'
import type { Member } from '../../../cluster/members/view.ts'
import { MEMBER_TTL_MS } from '../../../src/core/limits/limits.ts'
import { type Log, silentLog } from '../../../src/core/log.ts'
import { createFakeClock, type FakeClock } from '../fake-clock.ts'
import { createFaultyRegistry, type FaultyRegistry } from './faulty-registry.ts'
import { createMemoryRegistry, type MemoryRegistry } from './memory-registry.ts'

/** One process of a cluster in a test: its membership, and the faults of its process. */
export type TestMember = {
  readonly member: Member
  readonly store: MemberStore
  readonly registry: FaultyRegistry
  /** Ids in its view. */
  ids(): string
  /** Reason of its removal by others, once it knows. */
  removed(): RemovedReason | undefined
}

export type TestCluster = {
  readonly clock: FakeClock
  readonly stored: MemoryRegistry
  /** Addresses whose port refuses. */
  readonly refusing: Set<string>
  /** Starts a process and lets it join. */
  start(id: string, fields?: Partial<Member>): Promise<TestMember>
  /** The same without joining. */
  create(id: string, fields?: Partial<Member>): TestMember
  /** Lets time pass in small steps, so that work that only awaits a promise proceeds. */
  run(ms: number): Promise<void>
}

const STEP_MS = 25

export function createTestCluster(t: Test, options: { log?: Log } = {}): TestCluster {
  const { log = silentLog } = options
  const clock = createFakeClock()
  const stored = createMemoryRegistry({ clock, ttlMs: MEMBER_TTL_MS })
  const refusing = new Set<string>()
  const started: TestMember[] = []
  let seed = 1

  const random = () => {
    seed = (Math.imul(seed, 48_271) >>> 0) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const run = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) await clock.advance(STEP_MS)
  }
  const create = (id: string, fields: Partial<Member> = {}): TestMember => {
    const registry = createFaultyRegistry(stored.client(), clock)
    const probe = async (address: string) => refusing.has(address)
    const store = createMembership({ registry, clock, log, random, probe })
    let reason: RemovedReason | undefined
    void store.removed.then((told) => {
      reason = told
    })
    const member: Member = {
      id,
      address: `${id}:8001`,
      role: 'worker',
      state: 'active',
      weight: 1,
      version: '0.1.0',
      ...fields,
    }
    const ids = () =>
      store
        .view()
        .members.map((each) => each.id)
        .join(' ')
    const process = { member, store, registry, ids, removed: () => reason }
    started.push(process)
    return process
  }
  const start = async (id: string, fields: Partial<Member> = {}) => {
    const process = create(id, fields)
    await process.store.join(process.member)
    return process
  }
  t.teardown(async () => {
    const closing = Promise.all(started.map(({ store }) => store.close()))
    await run(2_000) // Calls under way have to end.
    await closing
  })
  return { clock, stored, refusing, start, create, run }
}
