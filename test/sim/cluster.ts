/** Processes of a run, with their starts. */
import type { View } from '../../cluster/members/view.ts'
import { preferredOwners } from '../../cluster/shards/rendezvous.ts'
import { ALL_SHARDS } from '../../cluster/shards/shard-plan.ts'
import { NEWS_BEAT_MS } from '../../src/core/limits/limits.ts'
import { type SimGateway, startGateway } from './gateway.ts'
import type { SimProcess } from './simulation.ts'
import type { Site } from './site.ts'
import { type SimWorker, startWorker } from './worker.ts'

export class Cluster {
  readonly site: Site
  #workers: SimWorker[] = []
  #gateways: SimGateway[] = []
  readonly #workerHosts: string[] = []
  readonly #gatewayHosts: string[] = []
  /** By process, so that a check finds the worker that has just run. */
  readonly #byProcess = new Map<SimProcess, SimWorker>()

  constructor(site: Site) {
    this.site = site
    this.#beat()
  }

  get workers(): readonly SimWorker[] {
    return this.#workers
  }

  get gateways(): readonly SimGateway[] {
    return this.#gateways
  }

  workerOf(process: SimProcess): SimWorker | undefined {
    return this.#byProcess.get(process)
  }

  addWorker(): void {
    if (this.#workerHosts.length >= 4) return
    const host = `w${this.#workerHosts.length + 1}`
    this.#workerHosts.push(host)
    this.startWorkerAt(host)
  }

  addGateway(): void {
    const host = `g${this.#gatewayHosts.length + 1}`
    this.#gatewayHosts.push(host)
    this.startGatewayAt(host)
  }

  startWorkerAt(host: string): void {
    const worker = startWorker(this.site, host)
    this.#workers.push(worker)
    this.#byProcess.set(worker.process, worker)
    worker.process.onEnd.add(() => {
      this.#workers = this.#workers.filter((each) => each !== worker)
      this.#byProcess.delete(worker.process)
      for (const gateway of this.#gateways) gateway.directory.forget(worker.member.id)
    })
    worker.shards.subscribe(() => {
      const { ledger, pg } = this.site
      ledger.hold(worker.member.id, worker.shards.held(), (shard) => pg.row(shard).epoch)
      this.#tellOwned(worker)
    })
  }

  startGatewayAt(host: string): void {
    const gateway = startGateway(this.site, host)
    this.#gateways.push(gateway)
    gateway.process.onEnd.add(() => {
      this.#gateways = this.#gateways.filter((each) => each !== gateway)
    })
  }

  startWhenGone(process: SimProcess, start: () => void): void {
    if (process.alive) process.onEnd.add(() => this.site.sim.after(50, start))
    else start()
  }

  /** Starts processes that do not run, as a supervisor of a cluster does. */
  readonly revive = (): void => {
    for (const { process } of [...this.#workers, ...this.#gateways]) process.thaw()
    for (const host of this.#workerHosts) {
      if (!this.#workers.some(({ process }) => process.host === host)) this.startWorkerAt(host)
    }
    for (const host of this.#gatewayHosts) {
      if (!this.#gateways.some(({ process }) => process.host === host)) this.startGatewayAt(host)
    }
  }

  someWorker(): SimWorker | undefined {
    const able = this.#workers.filter(({ process }) => !process.isFrozen)
    return able.length === 0 ? undefined : this.site.sim.random.pick(able)
  }

  someGateway(): SimGateway | undefined {
    const able = this.#gateways.filter(({ process }) => !process.isFrozen)
    return able.length === 0 ? undefined : this.site.sim.random.pick(able)
  }

  hosts(): readonly string[] {
    return [...this.#workerHosts, ...this.#gatewayHosts]
  }

  /** Change feeds: which workers each gateway hears, and the shards that they report. */
  #beat(): void {
    const { sim } = this.site
    sim.after(NEWS_BEAT_MS, () => {
      for (const worker of this.#workers) {
        for (const gateway of this.#gateways) this.#hear(worker, gateway)
      }
      this.#beat()
    })
  }

  #isHeard(worker: SimWorker, gateway: SimGateway): boolean {
    const { network } = this.site
    if (worker.process.isFrozen || gateway.process.isFrozen) return false
    return network.isWhole(worker.process.host, gateway.process.host)
  }

  #hear(worker: SimWorker, gateway: SimGateway): void {
    const { id } = worker.member
    const isKnown = gateway.members.view().members.some((member) => member.id === id)
    if (!isKnown || !this.#isHeard(worker, gateway)) return
    if (!gateway.heard.has(id)) gateway.directory.tell(id, new Set(worker.shards.held().keys()))
    gateway.heard.set(id, this.site.sim.now)
  }

  #tellOwned(worker: SimWorker): void {
    const { sim } = this.site
    const owned = new Set(worker.shards.held().keys())
    for (const gateway of this.#gateways) {
      if (!this.#isHeard(worker, gateway)) continue
      sim.after(sim.random.between(0.2, 5), () => {
        if (gateway.heard.has(worker.member.id)) gateway.directory.tell(worker.member.id, owned)
      })
    }
  }

  /** State that has not recovered after the faults; empty when everything has. */
  unsettled(): string {
    const workers = this.#workers
    if (workers.length < this.#workerHosts.length) return 'a worker is missing'
    if (this.#gateways.length < this.#gatewayHosts.length) return 'a gateway is missing'
    if (workers.some((worker) => worker.isStopping())) return 'a worker stops'
    const ids = [...workers, ...this.#gateways].map(({ member }) => member.id).sort()
    for (const { process, members } of [...workers, ...this.#gateways]) {
      const seen = members.view().members.filter(({ state }) => state === 'active')
      if (seen.map(({ id }) => id).join() !== ids.join()) return `${process.name} sees others`
      if (members.view().members.length !== ids.length) return `${process.name} sees more`
    }
    const [first] = workers
    return first === undefined ? 'nobody is there' : this.#misplaced(first.members.view())
  }

  #misplaced(view: View): string {
    const { pg, nats, ledger } = this.site
    const preferred = preferredOwners(view)
    for (const shard of ALL_SHARDS) {
      const owner = preferred(shard)
      const row = pg.row(shard)
      const holder = this.#workers.find(({ member }) => member.id === owner?.id)
      if (row.owner !== owner?.id || row.released) return `shard ${shard} is elsewhere`
      if (holder?.shards.epochOf(shard) !== row.epoch) return `shard ${shard} is not held`
    }
    if (nats.stream.messages > 0 || ledger.spilled() > 0) return 'the spill is not empty'
    for (const { process, writer } of this.#workers) {
      if (writer.status().state !== 'up') return `the writer of ${process.name} is not up`
    }
    return ''
  }
}
