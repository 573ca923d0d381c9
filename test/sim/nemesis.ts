/** The faults of a run and their times, chosen by its seed. */

import type { Cluster } from './cluster.ts'
import type { SimNats } from './nats.ts'
import type { Link } from './network.ts'
import type { SimPostgres } from './postgres.ts'

type Deed = {
  readonly name: string
  readonly share: number
  /** Starts the fault. The returned function ends it. */
  readonly begin: (cluster: Cluster, ms: number) => () => void
  /** The longest time that it lasts. */
  readonly maxMs: number
}

const NOTHING = () => {}

function linkFault(link: Link, cluster: Cluster): () => void {
  const { random } = cluster.site.sim
  switch (random.integer(4)) {
    case 0:
      link.cut = 'lose'
      break
    case 1:
      link.cut = 'hold'
      break
    case 2:
      link.loss = random.between(0.05, 0.5)
      break
    default:
      link.slowMs = random.between(50, 1_500)
  }
  return () => link.heal()
}

function cutHosts(cluster: Cluster, from: string, to: string): () => void {
  const { network, sim } = cluster.site
  const isOneWay = sim.random.chance(0.4)
  sim.note(() => `link ${from} ${isOneWay ? '->' : '<->'} ${to} is bad`)
  const ends = [linkFault(network.link(from, to), cluster)]
  if (!isOneWay) ends.push(linkFault(network.link(to, from), cluster))
  return () => {
    for (const end of ends) end()
    sim.note(() => `link ${from} ${to} is good again`)
  }
}

const stopStore = (store: (cluster: Cluster) => SimNats | SimPostgres) => (cluster: Cluster) => {
  const { random } = cluster.site.sim
  const host = store(cluster)
  if (random.chance(0.6)) host.kill()
  else host.freeze()
  return () => host.start()
}

const DEEDS: readonly Deed[] = [
  {
    name: 'worker killed',
    share: 4,
    maxMs: 9_000,
    begin(cluster) {
      const worker = cluster.someWorker()
      if (worker === undefined) return NOTHING
      worker.process.kill()
      return () => cluster.startWorkerAt(worker.process.host)
    },
  },
  {
    name: 'worker stands still',
    share: 4,
    maxMs: 11_000,
    begin(cluster) {
      const process = cluster.someWorker()?.process
      process?.freeze()
      return () => process?.thaw()
    },
  },
  {
    name: 'worker drains',
    share: 3,
    maxMs: 4_000,
    begin(cluster) {
      const worker = cluster.someWorker()
      if (worker === undefined) return NOTHING
      worker.stop()
      const { host } = worker.process
      return () => cluster.startWhenGone(worker.process, () => cluster.startWorkerAt(host))
    },
  },
  {
    name: 'another worker joins',
    share: 2,
    maxMs: 0,
    begin(cluster) {
      cluster.addWorker()
      return NOTHING
    },
  },
  {
    name: 'second process with one address',
    share: 1,
    maxMs: 0,
    begin(cluster) {
      const worker = cluster.someWorker()
      if (worker !== undefined) cluster.startWorkerAt(worker.process.host)
      return NOTHING
    },
  },
  {
    name: 'worker stands still in a change',
    share: 4,
    maxMs: 9_000,
    begin({ site }, ms) {
      site.stallInChange = 0.2
      site.stallMs = ms
      return () => {
        site.stallInChange = 0
      }
    },
  },
  {
    name: 'worker is out of reach of nats alone',
    share: 3,
    maxMs: 10_000,
    begin(cluster) {
      const process = cluster.someWorker()?.process
      if (process === undefined) return NOTHING
      const { network, slowChanges, slowChangeMs } = cluster.site
      // A change begun while it was confirmed runs beyond the time when the others judge it.
      // it.
      Object.assign(cluster.site, { slowChanges: 0.6, slowChangeMs: 3_900 })
      const links = [network.link(process.host, 'nats'), network.link('nats', process.host)]
      for (const link of links) link.cut = 'lose'
      return () => {
        for (const link of links) link.heal()
        Object.assign(cluster.site, { slowChanges, slowChangeMs })
      }
    },
  },
  {
    name: 'gateway killed',
    share: 2,
    maxMs: 6_000,
    begin(cluster) {
      const gateway = cluster.someGateway()
      if (gateway === undefined) return NOTHING
      gateway.process.kill()
      return () => cluster.startGatewayAt(gateway.process.host)
    },
  },
  {
    name: 'gateway stands still',
    share: 1,
    maxMs: 8_000,
    begin(cluster) {
      const process = cluster.someGateway()?.process
      process?.freeze()
      return () => process?.thaw()
    },
  },
  { name: 'nats away', share: 4, maxMs: 10_000, begin: stopStore(({ site }) => site.nats) },
  {
    name: 'nats wiped',
    share: 2,
    maxMs: 5_000,
    begin({ site: { nats } }) {
      nats.kill()
      nats.wipe()
      return () => nats.start()
    },
  },
  {
    name: 'watches tell late, twice or never',
    share: 3,
    maxMs: 8_000,
    begin({ site: { nats, sim } }) {
      nats.watchLoss = sim.random.between(0, 0.9)
      nats.watchTwice = sim.random.between(0, 0.5)
      return () => {
        nats.watchLoss = 0
        nats.watchTwice = 0
      }
    },
  },
  {
    name: 'answers are lost',
    share: 4,
    maxMs: 8_000,
    begin({ site: { nats, pg, sim } }) {
      const store = sim.random.chance(0.5) ? nats : pg
      store.answerLoss = sim.random.between(0.1, 0.9)
      sim.note(() => `answers of ${store.host} are lost`)
      return () => {
        store.answerLoss = 0
      }
    },
  },
  { name: 'database away', share: 5, maxMs: 9_000, begin: stopStore(({ site }) => site.pg) },
  {
    name: 'store is slow',
    share: 3,
    maxMs: 6_000,
    begin({ site: { nats, pg, sim } }) {
      const store = sim.random.chance(0.3) ? nats : pg
      store.slowMs = sim.random.between(20, 3_000)
      sim.note(() => `${store.host} is slow`)
      return () => {
        store.slowMs = 0
      }
    },
  },
  {
    name: 'flushes conflict',
    share: 1,
    maxMs: 6_000,
    begin({ site: { pg } }) {
      pg.conflicts = 0.4
      return () => {
        pg.conflicts = 0
      }
    },
  },
  {
    name: 'spill is small',
    share: 2,
    maxMs: 8_000,
    begin({ site: { nats } }) {
      const { bytesMax } = nats.stream
      nats.stream.bytesMax = 2_000
      return () => {
        nats.stream.bytesMax = bytesMax
      }
    },
  },
  {
    name: 'bad link between processes',
    share: 4,
    maxMs: 9_000,
    begin(cluster) {
      const hosts = cluster.hosts()
      const { random } = cluster.site.sim
      const from = random.pick(hosts)
      const to = random.pick(hosts)
      return from === to ? NOTHING : cutHosts(cluster, from, to)
    },
  },
  {
    name: 'bad link to a store',
    share: 5,
    maxMs: 12_000,
    begin(cluster) {
      const { random } = cluster.site.sim
      const store = random.chance(0.5) ? 'nats' : 'pg'
      const host = random.pick(cluster.hosts())
      return random.chance(0.5) ? cutHosts(cluster, host, store) : cutHosts(cluster, store, host)
    },
  },
  {
    name: 'key of a member vanishes',
    share: 1,
    maxMs: 0,
    begin({ site: { nats, sim } }) {
      const keys = [...nats.newest.keys()]
      if (keys.length > 0) nats.stored.drop(sim.random.pick(keys))
      return NOTHING
    },
  },
  {
    name: 'processes are killed at failpoints',
    share: 2,
    maxMs: 5_000,
    begin({ site, revive }) {
      site.crashAtFailpoint = 0.05
      return () => {
        site.crashAtFailpoint = 0
        revive()
      }
    },
  },
]

/**
 * `faults`: any fault at any time. `single`: one part of the cluster dies, and the others take
 * over. `calm`: workers come and go in order.
 */
export type Kind = 'faults' | 'single' | 'calm'

/** Effects that clients must not notice. */
export type Spared = { readonly batches: boolean; readonly changes: boolean }

const CALM: ReadonlyMap<string, Spared> = new Map([
  ['worker drains', { batches: true, changes: true }],
  ['another worker joins', { batches: true, changes: true }],
])
const SINGLE: ReadonlyMap<string, Spared> = new Map([
  ['worker killed', { batches: true, changes: false }],
  ['worker stands still', { batches: true, changes: false }],
  ['nats away', { batches: true, changes: true }],
  ['nats wiped', { batches: true, changes: true }],
  ['database away', { batches: true, changes: false }],
])

type Planned = { readonly deed: Deed; readonly at: number }

function plan({ random }: Cluster['site']['sim'], kind: Kind, ms: number): readonly Planned[] {
  const known = { faults: undefined, single: SINGLE, calm: CALM }[kind]
  const able = DEEDS.filter(({ name }) => known === undefined || known.has(name))
  // A run of `faults` has only some of them, so that each also occurs alone.
  const chosen = able.filter(() => kind !== 'faults' || random.chance(0.4))
  const deck = (chosen.length > 0 ? chosen : able).flatMap((deed) =>
    Array.from({ length: deed.share }, () => deed),
  )
  const count = { faults: 1 + random.integer(6), single: 1, calm: 1 + random.integer(3) }[kind]
  return Array.from({ length: count }, (_, number) => {
    // Each step of an orderly run has its time.
    const at =
      kind === 'calm' ? (ms * number) / count : random.between(0, kind === 'single' ? 500 : ms)
    return { deed: random.pick(deck), at }
  })
}

/** @returns the effects that clients must not notice, and a function that ends all open faults. */
export function unleash(
  cluster: Cluster,
  kind: Kind,
  faultsMs: number,
): { readonly spared: Spared; readonly undo: () => void } {
  const { sim } = cluster.site
  const open = new Set<() => void>()
  const planned = plan(sim, kind, faultsMs)
  for (const { deed, at } of planned) {
    const ms = sim.random.between(Math.min(100, deed.maxMs), deed.maxMs)
    sim.after(at, () => {
      sim.note(() => `--- ${deed.name}, ${Math.round(ms)} ms`)
      const undo = deed.begin(cluster, ms)
      const end = () => {
        if (open.delete(end)) undo()
      }
      open.add(end)
      sim.after(ms, end)
    })
  }
  const all = planned.map(({ deed: { name } }) => SINGLE.get(name) ?? CALM.get(name))
  return {
    spared: {
      batches: kind !== 'faults' && all.every((each) => each?.batches),
      changes: kind !== 'faults' && all.every((each) => each?.changes),
    },
    undo() {
      for (const end of [...open]) end()
    },
  }
}
