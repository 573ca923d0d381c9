/**
 * The shards of one worker: after everything that happens the next steps are decided anew
 * (`shard-plan.ts`), taken (`shard-taking.ts`, `shard-giving.ts`), and what comes of them is told to
 * the states (`ownership.ts`). Everything it depends on is handed in, so that a simulation runs it.
 */
import type { Clock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { type Failpoints, NO_FAILPOINTS } from '../src/core/failpoint.ts'
import type { Epoch, ShardId } from '../src/core/ids.ts'
import {
  OWNERSHIP_WAIT_MS,
  SHARD_RETRY_MAX_MS,
  SHARD_RETRY_MS,
  SHARD_ROWS_MS,
  SHARD_ROWS_UNSETTLED_MS,
  SHARD_ROWS_WANTED_MS,
  SHARDS_CLOSE_MS,
} from '../src/core/limits/limits.ts'
import type { Log } from '../src/core/log.ts'
import type { MemberStore } from './members/member-store.ts'
import { NotOwnerError } from './shards/not-owner.ts'
import { createShardTurns } from './shards/running-changes.ts'
import { believedOwner, type Outlook, outlook } from './shards/shard-availability.ts'
import { createShardGiver } from './shards/shard-giver.ts'
import { createShardLedger } from './shards/shard-ledger.ts'
import { ALL_SHARDS, assign, type Plan, planShards, type Situation } from './shards/shard-plan.ts'
import type { ShardStore } from './shards/shard-store.ts'
import { createShardTaker } from './shards/shard-taker.ts'
import { createShardWaiters } from './shards/shard-waiters.ts'
import type { Peers, Shards } from './shards/shards-port.ts'

export type ShardsDeps = {
  readonly store: ShardStore
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'confirmed'>
  /** Id of this member; it takes shards from when it is in the view. */
  readonly self: string
  readonly peers: Peers
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly failpoints?: Failpoints
}

/** Begins at once: reads the rows, and claims what nobody holds in one statement. */
export function createShards(deps: ShardsDeps): Shards {
  const { store, members, self, clock, log, random, failpoints = NO_FAILPOINTS } = deps
  const turns = createShardTurns(clock)
  const tasks = new Set<Promise<unknown>>()
  /** Those who wait for something that is looked at after each change. */
  const wishes = new Set<() => void>()
  let assignment = assign(members.view())
  let stableSince = clock.monotonic()
  let draining = false
  let closed = false
  let closing: Promise<void> | undefined
  let reads = 0
  let isReading = false
  /** Monotonic time of the last read's end, and its share of the jitter. */
  let readAt = 0
  let jitter = 0
  let failures = 0
  /** While the database is away it is asked for nothing before this time. */
  let retryAt = 0
  let cancelTimer: () => void = () => {}

  const situation = (): Situation => ({
    self,
    assignment,
    stableSince,
    now: clock.monotonic(),
    confirmed: members.confirmed(),
    draining,
    reads,
  })
  const outlookOf = (shard: ShardId): Outlook => {
    if (!closed) return outlook(shard, ledger.stateOf(shard), situation())
    const owner = assignment.preferred(shard)
    return { kind: 'elsewhere', owner: owner?.id === self ? undefined : owner }
  }
  const waiters = createShardWaiters({ clock, outlook: outlookOf })
  const look = () => {
    waiters.settle()
    for (const wish of [...wishes]) wish()
  }
  const ledger = createShardLedger({ self, clock, log, onChange: look })

  const onStoreAnswer = () => {
    if (failures > 0) log.info('shards can be read and claimed again', { failures })
    failures = 0
    retryAt = 0
  }
  const onStoreFailure = (error: unknown) => {
    if (failures === 0) log.warn('shards can neither be read nor claimed', { error })
    const longest = Math.min(SHARD_RETRY_MS * 2 ** Math.min(failures, 16), SHARD_RETRY_MAX_MS)
    failures += 1
    retryAt = clock.monotonic() + longest * (0.5 + random() / 2)
  }
  const giver = createShardGiver({ self, store, ledger, turns, failpoints, onStoreFailure })
  const taker = createShardTaker({
    ...{ self, store, ledger, clock, log, random, failpoints, onStoreAnswer, onStoreFailure },
    peers: deps.peers,
    lastRead: () => reads,
  })

  const read = async () => {
    isReading = true
    reads += 1
    const number = reads
    const rows = await store.list().catch((error: unknown) => {
      onStoreFailure(error)
      return undefined
    })
    if (rows !== undefined) {
      onStoreAnswer()
      ledger.apply(rows.map((row) => [row.shard, { kind: 'row', row, read: number }]))
    }
    isReading = false
    readAt = clock.monotonic()
    jitter = random() / 10
  }

  const start = (work: Promise<unknown>) => {
    const task = work.then(() => {
      tasks.delete(task)
      turn()
    })
    tasks.add(task)
  }

  const pause = (plan: Plan): number => {
    if (plan.unread > 0) return 0
    if (plan.wanted > 0) return SHARD_ROWS_WANTED_MS
    return (1 + jitter) * (plan.unsettled > 0 ? SHARD_ROWS_UNSETTLED_MS : SHARD_ROWS_MS)
  }

  /** Takes the steps that are due, and comes back when others may be. */
  const turn = () => {
    if (closed) return
    cancelTimer()
    const now = clock.monotonic()
    const plan = planShards(ledger.stateOf, situation())
    const readDue = reads === 0 ? now : readAt + pause(plan)
    if (now >= retryAt) {
      if (plan.release.length > 0) start(giver.give(plan.release, ''))
      if (plan.claim.length > 0) start(taker.claim(plan.claim))
      for (const question of plan.ask) start(taker.ask(question))
      if (!isReading && now >= readDue) start(read())
    }
    // A read that is under way ends with another turn; wishes may come true before.
    const due = isReading ? now + SHARD_ROWS_WANTED_MS : Math.max(readDue, retryAt)
    cancelTimer = clock.after(Math.max(1, due - now), turn)
    look()
  }

  /** Resolves once `isTrue`, looked at after each change. */
  const wish = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (!isTrue()) return
        wishes.delete(check)
        resolve()
      }
      wishes.add(check)
      check()
    })
  const kindOf = (shard: ShardId) => ledger.stateOf(shard).kind
  const isEmpty = () =>
    ALL_SHARDS.every((shard) => {
      const kind = kindOf(shard)
      return kind === 'away' || kind === 'asking' || kind === 'released'
    })
  const isReady = () =>
    closed ||
    (ALL_SHARDS.every((shard) => kindOf(shard) !== 'unknown' && kindOf(shard) !== 'claiming') &&
      members.confirmed() &&
      planShards(ledger.stateOf, situation()).claim.length === 0)

  const drain = (): Promise<void> => {
    draining = true
    turn()
    return wish(() => closed || isEmpty())
  }

  const unsubscribe = members.subscribe((view) => {
    const next = assign(view)
    // A gateway that comes or goes does not put a move off.
    if (next.signature !== assignment.signature) stableSince = clock.monotonic()
    assignment = next
    turn()
  })

  const close = async (): Promise<void> => {
    const late = new AbortController()
    const deadline = clock.sleep(SHARDS_CLOSE_MS, late.signal).catch(() => {
      // Woken because it is not needed any more.
    })
    await Promise.race([drain().then(() => Promise.allSettled(tasks)), deadline])
    late.abort()
    const left = ledger.held().size
    if (left > 0) log.warn('shards are left for others to claim', { shards: left })
    closed = true
    cancelTimer()
    unsubscribe()
    look()
  }

  const epochOf = (shard: ShardId): Epoch | undefined =>
    closed ? undefined : ledger.held().get(shard)

  const run = async <T>(shard: ShardId, change: (epoch: Epoch) => Promise<T>): Promise<T> => {
    const until = clock.monotonic() + OWNERSHIP_WAIT_MS
    let epoch = epochOf(shard)
    while (epoch === undefined) {
      await waiters.wait(shard, until)
      // A hand-off may have begun since the wait resolved.
      epoch = epochOf(shard)
    }
    turns.enter(shard)
    try {
      return await change(epoch)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'fenced') throw error
      log.warn('shard fenced', { shard, epoch: String(epoch) })
      ledger.apply([[shard, { kind: 'fenced', epoch, read: reads }]])
    } finally {
      turns.leave(shard)
    }
    turn()
    // Nothing was written, so it can be sent on as soon as the rows say to whom.
    await waiters.wait(shard, clock.monotonic() + OWNERSHIP_WAIT_MS)
    throw new NotOwnerError(shard, undefined)
  }

  turn()
  return {
    epochOf,
    hold: (shard, signal) => waiters.wait(shard, clock.monotonic() + OWNERSHIP_WAIT_MS, signal),
    run,
    ownerOf: (shard) => believedOwner(shard, ledger.stateOf(shard), situation()),
    held: () => (closed ? new Map() : ledger.held()),
    subscribe: (listener) => ledger.subscribe(listener),
    async release(shards, to) {
      const gone = await giver.give(shards, to)
      turn()
      return gone
    },
    drain,
    ready: () => wish(isReady),
    close() {
      closing ??= close()
      return closing
    },
  }
}
