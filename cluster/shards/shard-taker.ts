/** Takes shards: claims those that no live member holds, and asks live owners for the others. */
import type { Clock } from '../../src/core/clock.ts'
import { withDeadline } from '../../src/core/deadline.ts'
import type { Failpoints } from '../../src/core/failpoint.ts'
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import { HANDOFF_ASK_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { ShardLedger } from './shard-ledger.ts'
import type { Plan, Wanted } from './shard-plan.ts'
import type { ShardStore } from './shard-store.ts'
import type { ShardStoreRetry } from './shard-store-retry.ts'
import type { Peers } from './shards-port.ts'

/** Pause before an owner that did not let go is asked again; half to all of it. */
const HANDOFF_RETRY_MS = 1_000

export type ShardTaker = {
  /** Raises the epochs of shards that no live member has to give up first. Never rejects. */
  claim(wanted: readonly Wanted[]): Promise<void>
  /** Asks a live owner to give shards up. They are claimed by a later step. Never rejects. */
  ask(question: Plan['ask'][number]): Promise<void>
}

export type ShardTakerDeps = {
  readonly self: string
  readonly store: Pick<ShardStore, 'claim'>
  readonly peers: Peers
  readonly ledger: Pick<ShardLedger, 'apply'>
  readonly retry: Pick<ShardStoreRetry, 'succeeded' | 'failed'>
  /** Number of the last read of the rows that was begun. */
  readonly lastRead: () => number
  readonly clock: Clock
  readonly log: Log
  /** In [0, 1). */
  readonly random: () => number
  readonly failpoints: Failpoints
}

export function createShardTaker(deps: ShardTakerDeps): ShardTaker {
  const { ledger, clock, log, random } = deps

  return {
    async claim(wanted) {
      ledger.apply(
        wanted.map(({ shard, epoch }) => [shard, { kind: 'claim_sent', seen: epoch }] as const),
      )
      const won = await claimEpochs(deps, wanted)
      const read = deps.lastRead()
      ledger.apply(
        wanted.map(({ shard, epoch: seen }) => {
          const epoch = won?.get(shard)
          if (epoch !== undefined) return [shard, { kind: 'claim_won', epoch }]
          return [shard, { kind: 'claim_failed', seen, read }]
        }),
      )
      if (won !== undefined) log.info('shards claimed', { wanted: wanted.length, won: won.size })
    },
    async ask({ owner, wanted }) {
      const shards = wanted.map(({ shard }) => shard)
      ledger.apply(shards.map((shard) => [shard, { kind: 'ask_sent' }]))
      const given = await withDeadline(
        clock,
        { ms: HANDOFF_ASK_MS, what: 'a hand-off' },
        deps.peers.release(owner, shards),
      ).catch((error: unknown) => {
        // It may have given them up: the rows show that; otherwise it is asked again.
        log.warn('an owner did not answer', { owner: owner.id, shards: shards.length, error })
        return []
      })
      const granted = new Set(given)
      const askAfter = clock.monotonic() + HANDOFF_RETRY_MS * (0.5 + random() / 2)
      ledger.apply(
        wanted.map(({ shard, epoch: seen }) =>
          granted.has(shard)
            ? [shard, { kind: 'ask_granted', seen }]
            : [shard, { kind: 'ask_refused', seen, askAfter }],
        ),
      )
    },
  }
}

/** The new epochs of the shards that were won; `undefined` when the database did not answer. */
async function claimEpochs(
  { self, store, retry, failpoints }: ShardTakerDeps,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<ShardId, Epoch> | undefined> {
  try {
    await failpoints.reach('before-epoch-claim')
    const won = await store.claim(self, wanted)
    await failpoints.reach('after-claim-before-load')
    retry.succeeded()
    return won
  } catch (error) {
    retry.failed(error)
    return undefined
  }
}
