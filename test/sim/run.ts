/** One run of a cluster in virtual time: faults, then peace, then everything must be well. */
import { projectId } from '../../src/core/ids.ts'
import { DRAIN_MESSAGES_MAX } from '../../src/core/limits/limits.ts'
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
  /** `faults` unless told. */
  readonly kind?: Kind
  readonly trace?: boolean
  readonly mutant?: Mutant
}

export type RunResult = {
  readonly seed: number
  /** What should not have been; undefined when all was well. */
  readonly failure: string | undefined
  readonly hash: number
  readonly steps: number
  /** Virtual time, in ms. */
  readonly ms: number
  readonly lines: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const START_MS = 3_000
/** After the faults: redeliveries of the spill wait for 30 s, and those of a message for a minute. */
const SETTLE_MAX_MS = 150_000
const LOOK_MS = 400
const PROJECTS = [1, 2, 3, 4, 5]
const MILD = { poison: 0, impatient: 0, bursts: 0 }
const WILD = { poison: 0.01, impatient: 0.1, bursts: 0.04 }
const GROUP_BYTES_MAX = 4_000

export async function runSeed(
  seed: number,
  { kind = 'faults', trace = false, mutant = NO_MUTANT }: RunOptions = {},
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
    // Small where it may be met; where no capture may fail, what a slow database holds up fits.
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
  await settle(sim, check, 'it does not settle', () => cluster.unsettled())
  clients.stop()
  await settle(sim, check, 'clients still wait', () =>
    clients.waiting() > 0 ? `${clients.waiting()} requests` : cluster.unsettled(),
  )
  await probe(sim, check, clients, cluster)
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

/** Everything is put right, and what does not run is started. */
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
  if (spared.groups && failures.groups > 0) sim.fail(`${failures.groups} captures failed`)
  if (spared.changes && failures.changes > 0) sim.fail(`${failures.changes} changes failed`)
}

type Check = (owner: SimProcess | undefined) => void

/** Lets time pass until nothing is wrong any more; a run in which that lasts too long fails. */
async function settle(
  sim: Simulation,
  check: Check,
  what: string,
  wrong: () => string,
): Promise<void> {
  const until = sim.now + SETTLE_MAX_MS
  while (sim.failure === undefined && wrong() !== '') {
    if (sim.now >= until) sim.fail(`${what}: ${wrong()}`)
    else await sim.run(LOOK_MS, check)
  }
}

/** Through each gateway events are taken, and projects changed, at the first attempt. */
async function probe(
  sim: Simulation,
  check: Check,
  clients: Clients,
  cluster: Cluster,
): Promise<void> {
  if (sim.failure !== undefined) return
  // What was slow may still be suspect, and a change that nobody waits for hold its locks.
  await sim.run(clients.failures.changes > 0 ? 4_500 : 1_000, check)
  const before = { ...clients.failures }
  const acked = { ...clients.acked }
  const { gateways } = cluster
  for (const gateway of gateways) {
    clients.sendGroup(gateway)
    for (const project of PROJECTS) clients.sendChange(project, gateway)
  }
  const wanted = gateways.length * (1 + PROJECTS.length)
  await settle(sim, check, 'in peace a request has no answer', () => {
    const failed = clients.failures.groups + clients.failures.changes
    if (failed > before.groups + before.changes) sim.fail('in peace a request fails')
    const answered = clients.acked.groups + clients.acked.changes
    return answered < acked.groups + acked.changes + wanted ? 'still waiting' : ''
  })
}

/** Of whoever has just run: no queue of it is over its bound. */
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
