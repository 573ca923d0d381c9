/** One run of the copy in virtual time: load and faults, then none. The copy must be whole then. */
import { Network } from '../network.ts'
import { Simulation } from '../simulation.ts'
import { type ColumnRow, REFUSED, SimColumns } from './columns.ts'
import { Load } from './load.ts'
import { type CopyMutant, NO_COPY_MUTANT } from './mutant.ts'
import { type CopyKind, unleash } from './nemesis.ts'
import { CopyPostgres } from './postgres.ts'
import { type CopySite, Shippers } from './replicators.ts'
import { MONTHS } from './tables.ts'

export type CopyRunOptions = { readonly trace?: boolean; readonly mutant?: CopyMutant }

export type CopyRunResult = {
  readonly seed: number
  readonly failure: string | undefined
  readonly hash: number
  readonly steps: number
  /** Virtual time, in ms. */
  readonly ms: number
  readonly lines: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

const SETTLE_MAX_MS = 240_000
const LOOK_MS = 500
const VERIFY_MS = 700

export async function runCopySeed(
  seed: number,
  { trace = false, mutant = NO_COPY_MUTANT }: CopyRunOptions = {},
): Promise<CopyRunResult> {
  const sim = new Simulation(seed, { trace })
  const { random } = sim
  const kind: CopyKind = random.chance(0.6) ? 'late' : 'restored'
  const removes = random.pick([0, 0.1, 0.3])
  const site: CopySite = {
    ...{ sim, mutant, network: new Network(sim) },
    pg: new CopyPostgres(sim, mutant),
    columns: new SimColumns(sim),
    outboxBytesMax: random.pick([1e9, 1e9, 4_000]),
    ...{ killAtStep: 0, stallAtStep: 0, stallAtSend: 0, stallAtRemoval: 0, stallMs: 0 },
  }
  const load = new Load(sim, site.pg, {
    everyMs: random.pick([100, 300, 900]),
    ...{ removes, repeats: random.pick([0, 0.3, 0.7]), refused: random.pick([0, 0, 0.03]) },
  })
  site.pg.tables.ledger = ledgerOf(seed)
  watchInserts(site, load)
  const replicators = new Shippers(site)
  replicators.revive()
  load.start()
  const faultsMs = random.between(6_000, 20_000)
  const judge = new Judge(site, replicators, load)
  if (kind === 'late' && removes === 0) judge.watch()
  const undo = unleash(site, replicators, kind, faultsMs)
  await sim.run(faultsMs)
  sim.note(() => '--- the faults end')
  undo()
  endFaults(site, replicators)
  await sim.run(4_000)
  load.stop()
  // Open transactions commit.
  await sim.run(100)
  await judge.settle()
  // Only restored months may lack events, and comparing finds those.
  await judge.compareAll(kind === 'late' ? 'whole' : 'any')
  await judge.settle()
  judge.requireExact()
  return {
    ...{ seed, failure: sim.failure, hash: sim.hash, steps: sim.steps, ms: sim.now },
    lines: sim.lines ?? [],
    counts: {
      ...load.counts,
      blocks: site.pg.tables.blocks.size,
      refused: site.pg.tables.dead.size,
    },
  }
}

/** Months that only ClickHouse holds: none in two runs of three. */
function ledgerOf(seed: number): ReadonlySet<string> {
  if (seed % 3 > 0) return new Set()
  return new Set(seed % 2 === 0 ? MONTHS : MONTHS.slice(1))
}

function endFaults(site: CopySite, replicators: Shippers): void {
  Object.assign(site, { killAtStep: 0, stallAtStep: 0, stallAtSend: 0, stallAtRemoval: 0 })
  for (const store of [site.pg, site.columns]) {
    Object.assign(store, { answerLoss: 0, slowMs: 0 })
    store.start()
  }
  site.network.heal()
  replicators.revive()
}

/** Checks that no block has more rows than recorded, and no event that was never stored. */
function watchInserts({ sim, pg, columns }: CopySite, load: Load): void {
  columns.onInsert = (rows: readonly ColumnRow[]) => {
    for (const { uuid } of rows) {
      if (!load.known.has(uuid)) sim.fail(`nobody stored ${uuid}, which is in ClickHouse`)
    }
    const number = rows[0]?.block ?? 0
    const recorded = pg.tables.blocks.get(number)
    if (recorded === undefined) return sim.fail(`block ${number} is sent and not written down`)
    const uuids = columns.rows.filter(({ block }) => block === number).map(({ uuid }) => uuid)
    if (new Set(uuids).size < uuids.length) sim.fail(`block ${number} is there twice`)
  }
}

class Judge {
  readonly #site: CopySite
  readonly #replicators: Shippers
  readonly #load: Load

  constructor(site: CopySite, replicators: Shippers, load: Load) {
    this.#site = site
    this.#replicators = replicators
    this.#load = load
  }

  /** Compares from time to time during load and faults: a pinned comparison is exact. */
  watch(): void {
    const { sim, pg } = this.#site
    sim.after(VERIFY_MS, () => {
      const month = sim.random.pick(MONTHS)
      const wasWhole = !pg.tables.gaps.has(month)
      this.#replicators.verify(month, ({ differences }) => {
        const isWhole = wasWhole && !pg.tables.gaps.has(month) && pg.tables.dead.size === 0
        const [first] = differences
        if (!isWhole || first === undefined) return
        sim.fail(`a comparison finds ${first.found} of ${first.wanted} events of ${first.day}`)
      })
      this.watch()
    })
  }

  async settle(): Promise<void> {
    const { sim } = this.#site
    const until = sim.now + SETTLE_MAX_MS
    while (sim.failure === undefined && this.#replicators.unsettled() !== '') {
      if (sim.now >= until) sim.fail(`the copy does not settle: ${this.#replicators.unsettled()}`)
      else await sim.run(LOOK_MS)
    }
  }

  /** Compares each month, and requests a fill of those that differ. */
  async compareAll(expected: 'whole' | 'any'): Promise<void> {
    const { sim, pg } = this.#site
    for (const month of MONTHS) {
      if (sim.failure !== undefined) return
      const found: { differs?: boolean } = {}
      this.#replicators.verify(month, ({ differences }) => {
        found.differs = differences.length > 0
      })
      for (let left = 60; found.differs === undefined && left > 0; left--) await sim.run(LOOK_MS)
      if (found.differs === undefined) return sim.fail('a comparison has no end')
      // Refused events of a month in the ledger are not stored.
      const isRefused = pg.tables.dead.size > 0 && !pg.tables.ledger.has(month)
      if (found.differs && expected === 'whole' && !isRefused) {
        sim.fail(`${month} differs, and no event was lost by ClickHouse: ${this.#wrong()[0]}`)
      }
      const lacks = this.#wrong().some((words) => words.includes(month))
      if (lacks && !found.differs) return sim.fail(`a comparison overlooks: ${this.#wrong()[0]}`)
      if (found.differs) pg.tables.gaps.set(month, { reason: 'asked for', asked: true })
    }
  }

  /** Describes each event that ClickHouse does not have exactly once. */
  #wrong(): string[] {
    const { pg, columns } = this.#site
    const times = new Map<string, number>()
    for (const { uuid } of columns.rows) times.set(uuid, (times.get(uuid) ?? 0) + 1)
    const wrong: string[] = []
    for (const { uuid, month, event } of this.#load.wanted.values()) {
      const count = times.get(uuid) ?? 0
      times.delete(uuid)
      const isKept = event === REFUSED && count === 0 && pg.tables.dead.has(uuid)
      if (count !== 1 && !isKept) wrong.push(`${uuid} of ${month} is in ClickHouse ${count} times`)
    }
    for (const { uuid, month } of columns.rows) {
      if (!times.has(uuid)) continue
      const how = this.#load.known.has(uuid) ? 'was removed' : 'was never stored'
      wrong.push(`${uuid} of ${month} ${how}, and is in ClickHouse`)
    }
    return wrong
  }

  requireExact(): void {
    const { sim } = this.#site
    if (sim.failure !== undefined) return
    const [first] = this.#wrong()
    if (first !== undefined) sim.fail(first)
  }
}
