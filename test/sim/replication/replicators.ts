/** The processes that keep the copy, and one that compares it: the product's own parts. */

import type { ColumnStore } from '../../../src/clickhouse/connect.ts'
import { compareMonth } from '../../../src/replication/compare-days.ts'
import { ensureOwn } from '../../../src/replication/open-replica.ts'
import { runReplicator } from '../../../src/replication/replicator.ts'
import type { Network } from '../network.ts'
import type { SimProcess, Simulation } from '../simulation.ts'
import { logOf } from '../site.ts'
import type { SimColumns } from './columns.ts'
import { createColumnsClient, type Sends } from './columns-client.ts'
import type { CopyMutant } from './mutant.ts'
import type { CopyPostgres } from './postgres.ts'
import { createSimSql } from './sql.ts'
import { openBlocks } from './tables.ts'

export type CopySite = {
  readonly sim: Simulation
  readonly network: Network
  readonly pg: CopyPostgres
  readonly columns: SimColumns
  readonly mutant: CopyMutant
  readonly outboxBytesMax: number
  /** Chance that a replicator is killed, or freezes for `stallMs`, at each of its steps. */
  killAtStep: number
  stallAtStep: number
  /** Chance that it freezes for long when it is about to change something. */
  stallAtSend: number
  stallAtRemoval: number
  stallMs: number
}

export class Shippers {
  readonly #site: CopySite
  readonly #running = new Map<string, SimProcess>()
  readonly #hosts = ['w1', 'w2']
  #verifier: SimProcess

  constructor(site: CopySite) {
    this.#site = site
    this.#verifier = site.sim.process('cli')
  }

  get hosts(): readonly string[] {
    return this.#hosts
  }

  some(): SimProcess | undefined {
    const able = [...this.#running.values()].filter(({ alive, isFrozen }) => alive && !isFrozen)
    return able.length === 0 ? undefined : this.#site.sim.random.pick(able)
  }

  /** Starts replicators that do not run. A frozen one resumes when its time is over. */
  revive(): void {
    for (const host of this.#hosts) {
      if (this.#running.get(host)?.alive !== true) this.#start(host)
    }
  }

  #start(host: string): void {
    const { sim, pg, network, outboxBytesMax } = this.#site
    const process = sim.process(host)
    this.#running.set(host, process)
    const onStep = (sends: Sends) => this.#step(process, sends)
    const sql = createSimSql(process, pg, network, onStep)
    const deps = {
      ...{ sql, scans: sql, clock: process.clock, log: logOf(sim, process) },
      ...{ random: sim.random.next, holder: process.name, outboxBytesMax },
      onShipped: () => {},
      open: async (lease: Parameters<typeof ensureOwn>[2]) => {
        const store = this.#connect(process, onStep)
        await store.rows('select version()')
        await ensureOwn(sql, store, lease)
        return store
      },
    }
    process.io(0, () => {
      void runReplicator(deps, new AbortController().signal)
    })
  }

  #connect(process: SimProcess, onStep: (sends: Sends) => void): ColumnStore {
    const { columns, network, mutant } = this.#site
    const store = createColumnsClient(process, columns, network, onStep)
    return mutant.store?.(store) ?? store
  }

  #step(process: SimProcess, sends: Sends): void {
    const { sim, killAtStep, stallAtStep, stallAtSend, stallAtRemoval, stallMs } = this.#site
    const stall = Math.max(stallAtSend, sends === 'removal' ? stallAtRemoval : 0)
    if (sim.random.chance(killAtStep)) {
      process.kill()
      sim.after(sim.random.between(100, 4_000), () => {
        if (this.#running.get(process.host) === process) this.#start(process.host)
      })
    } else if (sends !== false && sim.random.chance(stall)) {
      process.freeze()
      // By then another replicator has the lease.
      sim.after(sim.random.between(16_000, 26_000), () => process.thaw())
    } else if (sim.random.chance(stallAtStep)) {
      process.freeze()
      sim.after(sim.random.between(100, stallMs), () => process.thaw())
    }
  }

  /** Runs the comparison of `sluice events verify` for a month. Undefined while a store is away. */
  verify(month: string, tell: (found: Awaited<ReturnType<typeof compareMonth>>) => void): void {
    const { pg, network, sim } = this.#site
    if (!this.#verifier.alive) this.#verifier = sim.process('cli')
    const process = this.#verifier
    process.io(0, () => {
      const sql = createSimSql(process, pg, network, () => {})
      const store = this.#connect(process, () => {})
      void compareMonth(sql, store, month).then(tell, (error) =>
        sim.note(() => `verify fails: ${error}`),
      )
    })
  }

  /** Work that is not done yet; empty when all is. */
  unsettled(): string {
    if ([...this.#running.values()].some(({ isFrozen }) => isFrozen))
      return 'a replicator stands still'
    const { tables } = this.#site.pg
    const waiting = [...tables.outbox.values()].filter(({ block }) => block === null)
    if (waiting.length > 0) return `${waiting.length} rows of the outbox wait`
    const [open] = openBlocks(tables)
    if (open !== undefined)
      return `block ${open.number} is open, the copy is ${tables.keeper.state}`
    const asked = [...tables.gaps].filter(([, gap]) => gap.asked)
    return asked.length > 0 ? `${asked.length} months are to be filled` : ''
  }
}
