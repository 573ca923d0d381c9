/** Faults around the copy, and their times, chosen by the seed. */
import type { CopySite, Shippers } from './replicators.ts'

/**
 * `late`: a replicator may freeze or be slow while another one runs. `restored`: ClickHouse may be
 * restored to an older state, and forget its tokens. Both at once are more than is promised: late
 * inserts are recognised by their tokens alone.
 */
export type CopyKind = 'late' | 'restored'

type Deed = {
  readonly name: string
  readonly share: number
  readonly maxMs: number
  readonly only?: CopyKind
  /** The returned function ends it. */
  readonly begin: (site: CopySite, replicators: Shippers, ms: number) => () => void
}

const DEEDS: readonly Deed[] = [
  {
    name: 'replicator killed',
    share: 3,
    maxMs: 20_000,
    begin(_site, replicators) {
      replicators.some()?.kill()
      return () => replicators.revive()
    },
  },
  {
    name: 'replicator stands still',
    share: 3,
    maxMs: 25_000,
    only: 'late',
    begin({ sim }, replicators, ms) {
      const process = replicators.some()
      process?.freeze()
      // Its time does not end with the faults.
      sim.after(ms, () => process?.thaw())
      return () => {}
    },
  },
  {
    name: 'replicators are killed at their steps',
    share: 3,
    maxMs: 10_000,
    begin(site, replicators) {
      site.killAtStep = 0.04
      return () => {
        site.killAtStep = 0
        replicators.revive()
      }
    },
  },
  {
    name: 'replicators stand still at their steps',
    share: 5,
    maxMs: 10_000,
    only: 'late',
    begin(site) {
      Object.assign(site, { stallAtStep: 0.03, stallMs: 25_000 })
      return () => {
        site.stallAtStep = 0
      }
    },
  },
  {
    name: 'replicators stand still as they send',
    share: 5,
    maxMs: 8_000,
    only: 'late',
    begin(site) {
      site.stallAtSend = 0.25
      return () => {
        site.stallAtSend = 0
      }
    },
  },
  {
    // Late statements of a removal do the most harm, and few statements are removals.
    name: 'replicators stand still as they remove',
    share: 4,
    maxMs: 8_000,
    only: 'late',
    begin(site) {
      site.stallAtRemoval = 0.9
      return () => {
        site.stallAtRemoval = 0
      }
    },
  },
  {
    name: 'store away',
    share: 4,
    maxMs: 12_000,
    begin({ columns, pg, sim }) {
      const store = sim.random.chance(0.6) ? columns : pg
      if (sim.random.chance(0.6)) store.kill()
      else store.freeze()
      return () => store.start()
    },
  },
  {
    name: 'answers are lost',
    share: 5,
    maxMs: 10_000,
    begin({ columns, pg, sim }) {
      const store = sim.random.chance(0.6) ? columns : pg
      store.answerLoss = sim.random.between(0.1, 0.8)
      return () => {
        store.answerLoss = 0
      }
    },
  },
  {
    name: 'store is slow',
    share: 3,
    maxMs: 10_000,
    only: 'late',
    begin({ columns, pg, sim }) {
      const store = sim.random.chance(0.6) ? columns : pg
      store.slowMs = sim.random.between(20, 6_000)
      return () => {
        store.slowMs = 0
      }
    },
  },
  {
    name: 'bad link',
    share: 4,
    maxMs: 20_000,
    only: 'late',
    begin({ network, sim }, replicators) {
      const ends = [sim.random.pick(replicators.hosts), sim.random.pick(['pg', 'ch'])]
      const [from = '', to = ''] = sim.random.chance(0.5) ? ends : ends.reverse()
      const link = network.link(from, to)
      link.cut = sim.random.chance(0.5) ? 'hold' : 'lose'
      return () => link.heal()
    },
  },
  {
    name: 'engine is put back to an older state',
    share: 5,
    maxMs: 6_000,
    only: 'restored',
    begin({ columns }) {
      columns.keep()
      return () => {
        columns.kill()
        columns.restore()
        columns.start()
      }
    },
  },
  {
    name: 'engine starts without its tokens',
    share: 4,
    maxMs: 2_500,
    only: 'restored',
    begin({ columns }) {
      columns.kill()
      columns.forgetTokens()
      return () => columns.start()
    },
  },
]

/** @returns a function that ends the faults under way. */
export function unleash(
  site: CopySite,
  replicators: Shippers,
  kind: CopyKind,
  ms: number,
): () => void {
  const { random } = site.sim
  const able = DEEDS.filter(({ only }) => only === undefined || only === kind)
  const chosen = able.filter(() => random.chance(0.5))
  const deck = (chosen.length > 0 ? chosen : able).flatMap((deed) =>
    Array.from({ length: deed.share }, () => deed),
  )
  const open = new Set<() => void>()
  for (let left = 1 + random.integer(6); left > 0; left--) {
    const deed = random.pick(deck)
    const lasts = random.between(100, deed.maxMs)
    site.sim.after(random.between(0, ms), () => {
      site.sim.note(() => `--- ${deed.name}, ${Math.round(lasts)} ms`)
      const undo = deed.begin(site, replicators, lasts)
      const end = () => {
        if (open.delete(end)) undo()
      }
      open.add(end)
      site.sim.after(lasts, end)
    })
  }
  return () => {
    for (const end of [...open]) end()
  }
}
