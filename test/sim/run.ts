/** One run of a cluster in virtual time: faults, then none. Everything must be well at the end. */
import { projectId } from '../../src/core/ids.ts'
import { DRAIN_MESSAGES_MAX } from '../../src/worker/worker-writer.ts'
import { type Clients, createClients } from './clients.ts'
import { Cluster } from './cluster.ts'
import { Ledger } from './ledger.ts'
import { type Mutant, NO_MUTANT } from './mutant.ts'
import { SimNats } from './nats.ts'
import { type Kind, type Spared, unleash } from './nemesis.ts'
import { Network } from './network.ts'
import { SimPostgres } from './postgres.ts'
import { type SimProcess, Simulation } from './simulation.ts'
import { hostOf, idOf, type Site } from './site.ts'
import { SPILL_BYTES_MAX } from './worker.ts'

export type RunOptions = {
  /** Default: `faults`. */
  readonly kind?: Kind
  readonly trace?: boolean
  readonly mutant?: Mutant
  /** Virtual time in which all must be well after the faults. */
  readonly settleMs?: number
}

export type RunResult = {
  readonly seed: number
  /** The first failure; undefined when all was well. */
  readonly failure: string | undefined
  readonly hash: number
  readonly steps: number
  /** Virtual time, in ms. */
  readonly ms: number
  readonly lines: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const START_MS = 3_000
/**
 * The time after the faults. Redeliveries of the spill wait for 30 s, and those of one message for
 * a minute.
 */
const SETTLE_MAX_MS = 150_000
const LOOK_MS = 400
const PROJECTS = [1, 2, 3, 4, 5]
const MILD = { poison: 0, impatient: 0, bursts: 0 }
const WILD = { poison: 0.01, impatient: 0.1, bursts: 0.04 }
const GROUP_BYTES_MAX = 4_000

export async function runSeed(
  seed: number,
  { kind = 'faults', trace = false, mutant = NO_MUTANT, settleMs = SETTLE_MAX_MS }: RunOptions = {},
): Promise<RunResult> {
  const sim = new Simulation(seed, { trace })
  const { random } = sim
  const ledger = new Ledger(sim)
  const site: Site = {
    sim,
    ledger,
    mutant,
    network: new Network(sim),
    pg: new SimPostgres(sim, ledger, mutant),
    nats: new SimNats(sim, ledger, mutant),
    // Small where the bound may be met. Where no capture may fail, it holds what a slow database
    // delays.
    writerBytesMax: kind === 'faults' ? 10_000 : 1_000_000,
    ...{ crashAtFailpoint: 0, stallInChange: 0, stallMs: 0 },
    slowChanges: kind !== 'faults' ? 0 : random.pick([0, 0, 0.1, 0.5]),
    slowChangeMs: random.pick([300, 3_000, 7_000]),
  }
  site.nats.listens = ({ id, address }) =>
    site.network.served(hostOf(address)).some((process) => idOf(process) === id)
  const cluster = new Cluster(site)
  const clients = createClients(site, () => cluster.gateways, {
    groupMs: random.pick(kind === 'faults' ? [100, 400, 1_000] : [250, 1_000]),
    changeMs: random.pick([200, 600, 1_500]),
    projects: PROJECTS.map((project) => projectId(project)),
    ...(kind === 'faults' ? WILD : MILD),
  })
  const check = (owner: SimProcess | undefined) => checkBounds(cluster, owner)
  const faultsMs =
    kind === 'calm' ? 24_000 : kind === 'single' ? 12_000 : random.between(3_000, 12_000)

  const workers = 2 + random.integer(2)
  for (let count = 0; count < workers; count++) cluster.addWorker()
  for (let count = 1 + random.integer(2); count > 0; count--) cluster.addGateway()
  if (kind !== 'faults' || random.chance(0.5)) await sim.run(START_MS, check)
  const startedWell = cluster.unsettled()
  if (kind !== 'faults' && startedWell !== '') sim.fail(`after the start: ${startedWell}`)
  clients.start()
  const { spared, undo } = unleash(cluster, kind, faultsMs)
  await sim.run(faultsMs, check)

  sim.note(() => '--- the faults end')
  undo()
  if (kind !== 'calm') endFaults(site, cluster)
  const watched: Watched = { sim, check, settleMs }
  await settle(watched, 'it does not settle', () => cluster.unsettled())
  clients.stop()
  await settle(watched, 'clients still wait', () =>
    clients.waiting() > 0 ? `${clients.waiting()} requests` : cluster.unsettled(),
  )
  await probe(watched, clients, cluster)
  ledger.requireAllStored()
  checkSpared(sim, clients, spared)
  return {
    seed,
    failure: sim.failure,
    hash: sim.hash,
    steps: sim.steps,
    ms: sim.now,
    lines: sim.lines ?? [],
    counts: { ...ledger.counts, ackedChanges: clients.acked.changes },
  }
}

/** Ends all faults and starts what does not run. */
function endFaults(site: Site, cluster: Cluster): void {
  site.network.heal()
  for (const store of [site.nats, site.pg]) {
    store.answerLoss = 0
    store.slowMs = 0
    store.start()
  }
  site.crashAtFailpoint = 0
  site.stallInChange = 0
  const { sim } = site
  const look = () => {
    cluster.revive()
    sim.after(1_000, look)
  }
  look()
}

function checkSpared(sim: Simulation, { failures }: Clients, spared: Spared): void {
  if (spared.batches && failures.batches > 0) sim.fail(`${failures.batches} captures failed`)
  if (spared.changes && failures.changes > 0) sim.fail(`${failures.changes} changes failed`)
}

type Watched = {
  readonly sim: Simulation
  readonly check: (owner: SimProcess | undefined) => void
  readonly settleMs: number
}

/** Lets time pass until everything is well. A run in which that takes too long fails. */
async function settle(
  { sim, check, settleMs }: Watched,
  what: string,
  wrong: () => string,
): Promise<void> {
  const until = sim.now + settleMs
  while (sim.failure === undefined && wrong() !== '') {
    if (sim.now >= until) sim.fail(`${what}: ${wrong()}`)
    else await sim.run(LOOK_MS, check)
  }
}

/** Each gateway must take events and a change at the first attempt. */
async function probe(watched: Watched, clients: Clients, cluster: Cluster): Promise<void> {
  const { sim, check } = watched
  if (sim.failure !== undefined) return
  // A slow worker may still be suspect, and an abandoned change may still have its locks.
  await sim.run(clients.failures.changes > 0 ? 4_500 : 1_000, check)
  const before = { ...clients.failures }
  const acked = { ...clients.acked }
  const { gateways } = cluster
  for (const gateway of gateways) {
    clients.sendGroup(gateway)
    for (const project of PROJECTS) clients.sendChange(project, gateway)
  }
  const wanted = gateways.length * (1 + PROJECTS.length)
  await settle(watched, 'in peace a request has no answer', () => {
    const failed = clients.failures.batches + clients.failures.changes
    if (failed > before.batches + before.changes) sim.fail('in peace a request fails')
    const answered = clients.acked.batches + clients.acked.changes
    return answered < acked.batches + acked.changes + wanted ? 'still waiting' : ''
  })
}

/** No queue of the process that has just run may exceed its bound. */
function checkBounds(cluster: Cluster, owner: SimProcess | undefined): void {
  if (owner === undefined) return
  const worker = cluster.workerOf(owner)
  if (worker === undefined) return
  const { sim, writerBytesMax } = cluster.site
  const { queuedBytes } = worker.writer.status()
  if (queuedBytes > writerBytesMax) {
    sim.fail(`the writer of ${owner.name} holds ${queuedBytes} bytes`)
  }
  const spilling = worker.sink.spill()?.inflightBytes ?? 0
  if (spilling > SPILL_BYTES_MAX + GROUP_BYTES_MAX) {
    sim.fail(`the spill of ${owner.name} holds ${spilling} bytes`)
  }
  const { inflightMessages } = worker.drainer.status()
  if (inflightMessages > DRAIN_MESSAGES_MAX) {
    sim.fail(`the drainer of ${owner.name} holds ${inflightMessages} messages`)
  }
}
