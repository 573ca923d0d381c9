/**
 * Simulated statements of the replicator, by the beginning of their text. A statement that is not
 * described here ends the run: the simulation must know each of them.
 */
import {
  counted,
  type Described,
  type LockWish,
  type Outcome,
  rowsOf,
  type Scene,
  timeText,
} from './described.ts'
import { FILL_STATEMENTS } from './fill-statements.ts'
import { LEDGER_STATEMENTS } from './ledger-statements.ts'
import { type BlockRow, type OutboxRow, openBlocks, outboxOf, type Tables } from './tables.ts'

/** Small, so that a run has many blocks. */
export const BLOCK_ROWS = 8
const NONE: Outcome = { rows: [], count: 0 }
const SHARED: LockWish = { name: 'replicator', mode: 'share' }
const ALONE: LockWish = { name: 'replicator', mode: 'alone' }

/** Whether the fence accepts the lease; an accepted one must be the newest. */
function holds({ tables, mutant, fail }: Scene, lease: unknown): boolean {
  const newest = tables.replicator.lease
  if (mutant.fenceUnchecked !== true) return newest === lease
  if (newest !== lease) fail(`lease ${lease} writes of a block, past lease ${newest}`)
  return true
}

function changeBlock(
  scene: Scene,
  { lease, number }: { lease: unknown; number: unknown },
  change: (block: BlockRow) => BlockRow | undefined,
): Outcome {
  const block = scene.tables.blocks.get(Number(number))
  const changed = block !== undefined && holds(scene, lease) ? change(block) : undefined
  if (changed === undefined) return NONE
  scene.tables.blocks.set(changed.number, changed)
  return counted(1)
}

function record(scene: Scene): Outcome {
  const { tables, values } = scene
  const [lease, month] = values
  if (!holds(scene, lease)) return rowsOf([{ isHeld: false, recorded: 0 }])
  const lastBlock = tables.replicator.lastBlock + 1
  tables.replicator = { ...tables.replicator, lastBlock }
  const waiting = outboxOf(tables).filter((row) => row.month === month && row.block === null)
  const chosen: OutboxRow[] = []
  let rows = 0
  for (const row of waiting) {
    const isBehind = row.removal === null && chosen.at(-1)?.removal != null
    if (isBehind || (chosen.length > 0 && rows + row.rows > BLOCK_ROWS)) break
    chosen.push(row)
    rows += row.rows
  }
  for (const row of chosen) tables.outbox.set(row.id, { ...row, block: lastBlock })
  if (chosen.length > 0) {
    const place = { number: lastBlock, month: String(month), rows }
    tables.blocks.set(lastBlock, { ...place, isStored: false, isDone: false })
  }
  return rowsOf([{ isHeld: true, recorded: chosen.length > 0 ? 1 : 0 }])
}

function listWaiting({ tables, now }: Scene): Outcome {
  const waiting = outboxOf(tables).filter(({ block }) => block === null)
  return rowsOf(
    [...new Set(waiting.map(({ month }) => month))].map((month) => {
      const rows = waiting.filter((row) => row.month === month)
      const oldest = Math.min(...rows.map(({ committedAt }) => committedAt))
      const removes = rows.some(({ removal }) => removal !== null)
      const total = rows.reduce((sum, row) => sum + row.rows, 0)
      return { month, rows: total, removes, ageMs: now - oldest }
    }),
  )
}

export function waitingOrOpen(tables: Tables): readonly OutboxRow[] {
  const open = new Set(openBlocks(tables).map(({ number }) => number))
  return outboxOf(tables).filter(({ block }) => block === null || open.has(block))
}

function measure({ tables, now }: Scene): Outcome {
  const rows = waitingOrOpen(tables)
  const events = rows.reduce((sum, row) => sum + row.rows, 0)
  const bytes = rows.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0)
  const oldest = Math.min(now, ...rows.map(({ committedAt }) => committedAt))
  return rowsOf([{ events, rows: rows.length, bytes, lagMs: now - oldest }])
}

function empty(scene: Scene): Outcome {
  const { tables, values } = scene
  if (!holds(scene, values[0])) return rowsOf([{ isHeld: false, events: 0 }])
  let events = 0
  for (const row of outboxOf(tables)) {
    if (row.block !== null || row.removal !== null) continue
    tables.outbox.delete(row.id)
    tables.gaps.set(row.month, { reason: 'the outbox was full', asked: true })
    events += row.rows
  }
  return rowsOf([{ isHeld: true, events }])
}

function members({ tables, values }: Scene): Outcome {
  const of = outboxOf(tables).filter(({ block }) => block === Number(values[0]))
  return rowsOf(
    of.map(({ id, removal, payload, skipped, textBytes, committedAt }) => {
      const texts = { removal, payload, skipped, textBytes }
      return { id: BigInt(id), ...texts, committedAt: timeText(committedAt) }
    }),
  )
}

function renew({ tables, values, now }: Scene, expiresAt: number, lease: unknown): Outcome {
  const { keeper } = tables
  if (keeper.lease !== lease || keeper.expiresAt <= now) return NONE
  tables.keeper = { ...keeper, expiresAt }
  return counted(values.length > 0 ? 1 : 0)
}

const LEASE: readonly Described[] = [
  {
    begins: 'with free as materialized ( select expires_at from event_keeper',
    lock: { name: 'keeper', mode: 'alone', skips: true },
    run({ tables, values, now }) {
      const { keeper } = tables
      if (keeper.expiresAt >= now) return NONE
      const lease = keeper.lease + 1n
      tables.keeper = { ...keeper, lease, expiresAt: now + Number(values[2]) }
      return rowsOf([{ number: lease, isLate: false }])
    },
  },
  {
    begins: 'update event_shipper set lease = ?',
    lock: ALONE,
    run({ tables, values, mutant }) {
      if (mutant.recordsLate === true) forgetOpen(tables)
      tables.replicator = { ...tables.replicator, lease: values[0] as bigint }
      return rowsOf([{ copyId: tables.replicator.copyId }])
    },
  },
  {
    begins: 'update event_keeper set expires_at = now() + ?',
    lock: { name: 'keeper', mode: 'alone' },
    run: (scene) => renew(scene, scene.now + Number(scene.values[0]), scene.values[1]),
  },
  {
    begins: 'update event_keeper set expires_at = now() where lease',
    lock: { name: 'keeper', mode: 'alone' },
    run: (scene) => renew(scene, scene.now - 0.001, scene.values[0]),
  },
  {
    begins: 'update event_keeper set problem = ?',
    lock: { name: 'keeper', mode: 'alone' },
    run({ tables, values }) {
      const [, state, , lease] = values
      if (tables.keeper.lease !== lease) return NONE
      tables.keeper = { ...tables.keeper, state: String(state) }
      return counted(1)
    },
  },
]

/** Forgets blocks that were sent before they were recorded: the next holder does not know them. */
function forgetOpen(tables: Tables): void {
  for (const block of openBlocks(tables)) {
    if (block.isStored) continue
    tables.blocks.delete(block.number)
    const lastBlock = Math.min(tables.replicator.lastBlock, block.number - 1)
    tables.replicator = { ...tables.replicator, lastBlock }
    for (const row of outboxOf(tables)) {
      if (row.block === block.number) tables.outbox.set(row.id, { ...row, block: null })
    }
  }
}

const BLOCKS: readonly Described[] = [
  { begins: 'select month, sum(rows)::float8 as rows, bool_or', run: listWaiting },
  {
    begins: 'select number::float8 as number, month, rows, stored_at',
    run: ({ tables }) => rowsOf(openBlocks(tables).slice(0, 1)),
  },
  {
    begins: 'with held as ( update event_shipper set last_block = last_block + 1',
    lock: ALONE,
    run: record,
  },
  { begins: 'select id, removal, payload, skipped', run: members },
  {
    begins: 'update event_blocks set stored_at = coalesce',
    lock: SHARED,
    run(scene) {
      const [number, lease] = scene.values
      return changeBlock(scene, { lease, number }, (block) => ({ ...block, isStored: true }))
    },
  },
  {
    begins: 'update event_blocks set done_at = now()',
    lock: SHARED,
    run(scene) {
      const [number, lease] = scene.values
      return changeBlock(scene, { lease, number }, (block) =>
        block.isStored ? { ...block, isDone: true } : undefined,
      )
    },
  },
  {
    begins: 'update event_shipper set last_block = last_block + ?::integer',
    lock: ALONE,
    run(scene) {
      const { tables, values } = scene
      if (!holds(scene, values[2])) return NONE
      const last = tables.replicator.lastBlock + Number(values[0])
      tables.replicator = { ...tables.replicator, lastBlock: last }
      return rowsOf([{ last }])
    },
  },
  {
    begins: 'insert into event_blocks (number, month, rows, lease)',
    run({ tables, values: [number, month, rows] }) {
      const place = { number: Number(number), month: String(month), rows: Number(rows) }
      tables.blocks.set(place.number, { ...place, isStored: false, isDone: false })
      return counted(1)
    },
  },
  {
    begins: 'update event_blocks set rows = 0',
    lock: SHARED,
    run(scene) {
      const [number, lease] = scene.values
      return changeBlock(scene, { lease, number }, (block) =>
        block.isDone ? undefined : { ...block, rows: 0, isStored: true, isDone: true },
      )
    },
  },
  {
    begins: 'update event_blocks set stored_at = now() where number',
    lock: SHARED,
    run(scene) {
      const [number, lease, month, reason] = scene.values
      const gap = scene.tables.gaps.get(String(month))
      return changeBlock(scene, { lease, number }, (block) =>
        gap?.asked === true && gap.reason === reason ? { ...block, isStored: true } : undefined,
      )
    },
  },
]

const listOf = (text: unknown): number[] =>
  JSON.parse(String(text).replace('{', '[').replace('}', ']'))

const SPLITS: readonly Described[] = [
  {
    begins: 'insert into event_outbox (month, payload, skipped, rows, text_bytes, committed_at',
    run({ tables, values: [skipped, rows, block, from], takeId }) {
      const row = tables.outbox.get(Number(from))
      if (row === undefined) return NONE
      const id = takeId()
      const place = { skipped: listOf(skipped), rows: Number(rows), block: Number(block) }
      tables.outbox.set(id, { ...row, id, ...place })
      return counted(1)
    },
  },
  {
    begins: 'update event_outbox set block = ?',
    run({ tables, values: [block, skipped, fewer, id] }) {
      const row = tables.outbox.get(Number(id))
      if (row === undefined) return NONE
      const place = { skipped: listOf(skipped), rows: row.rows - Number(fewer) }
      tables.outbox.set(row.id, { ...row, ...place, block: Number(block) })
      return counted(1)
    },
  },
  {
    begins: 'update event_outbox o set block = ?',
    run({ tables, values: [block, from] }) {
      const open = new Set(openBlocks(tables).map(({ number }) => number))
      const later = outboxOf(tables).filter(
        (row) =>
          row.removal !== null && open.has(row.block ?? 0) && (row.block ?? 0) > Number(from),
      )
      for (const row of later) tables.outbox.set(row.id, { ...row, block: Number(block) })
      return counted(later.length)
    },
  },
  {
    begins: 'insert into dead_letters as d',
    run({ tables, values: [uuid] }) {
      tables.dead.add(String(uuid))
      return counted(1)
    },
  },
]

const BOUNDS: readonly Described[] = [
  { begins: 'select coalesce(sum(rows), 0)::float8 as events, count(*)', run: measure },
  { begins: 'with gone as ( delete from event_outbox', lock: SHARED, run: empty },
  { begins: 'delete from event_outbox where id in', run: () => NONE },
  {
    begins: 'select last_block::float8 as last from event_shipper',
    run: ({ tables }) => rowsOf([{ last: tables.replicator.lastBlock }]),
  },
]

/** Distinct ids do not change in the simulation: see `test/columns/distinct-ids.test.ts`. */
const idle = (begins: string, outcome: Outcome): Described => {
  return { begins, idle: outcome, run: () => outcome }
}
const IDS: readonly Described[] = [
  idle('select id from distinct_id_changes', NONE),
  idle('select (extract(epoch from clock_timestamp())', NONE),
  idle('select waited_at > clock_timestamp()', rowsOf([{ isAwaited: false }])),
  idle('delete from event_key_asks', NONE),
  idle('select key, coalesce(sum(count)', NONE),
  idle('update event_keeper set parts', NONE),
  idle('with listed as', rowsOf([{ isHeld: true }])),
  idle('select coalesce(max(id) - min(id) + 1, 0)', rowsOf([{ waiting: 0 }])),
  idle('select ids_version > 0', rowsOf([{ wasTold: false }])),
]

const ALL = [
  ...[...IDS, ...LEASE, ...BLOCKS, ...SPLITS, ...BOUNDS],
  ...[...FILL_STATEMENTS, ...LEDGER_STATEMENTS],
]

/** @throws {RangeError} when nobody has described it. */
export function describe(text: string): Described {
  const known = ALL.find(({ begins }) => text.startsWith(begins))
  if (known === undefined) throw new RangeError(`the simulation knows no statement ${text}`)
  return known
}
