/** Simulated statements about months that only ClickHouse holds, and about a full outbox. */
import { counted, type Described, type Outcome, rowsOf, type Scene } from './described.ts'
import { openBlocks, outboxOf, type StoredEvent, type Tables } from './tables.ts'

function isKept({ tables, mutant }: Scene): Outcome {
  return rowsOf([{ isKept: mutant.emptiesLedger !== true && tables.ledger.size > 0 }])
}

const listOf = (text: unknown): string[] => String(text).replace(/[{}]/g, '').split(',')

function heldKeys({ tables, values: [, projects, days, uuids] }: Scene): Outcome {
  const [ofProjects, ofDays] = [listOf(projects), listOf(days)]
  const keys = listOf(uuids).map((uuid, place) => [ofProjects[place], ofDays[place], uuid] as const)
  return rowsOf(
    keys.flatMap(([project, day, uuid]) => {
      const event = tables.events.get(uuid)
      if (event === undefined || event.day !== day || event.project !== Number(project)) return []
      return [{ projectId: event.project, day, uuid }]
    }),
  )
}

function payloadBlocks({ tables, values: [month] }: Scene): Outcome {
  const done = [...tables.blocks.values()].filter(
    (block) => block.month === month && block.rows > 0 && block.isDone,
  )
  return rowsOf(
    done
      .sort((a, b) => b.number - a.number)
      .flatMap(({ number }) => {
        const of = outboxOf(tables).filter((row) => row.block === number && row.removal === null)
        const rows = of.reduce((sum, row) => sum + row.rows, 0)
        const bytes = of.reduce((sum, row) => sum + row.textBytes, 0)
        return of.length === 0 ? [] : [{ number, rows, bytes }]
      }),
  )
}

/** Values: project, day, uuid. */
function keyed(tables: Tables, values: readonly unknown[]): StoredEvent | undefined {
  const [project, day, uuid] = values
  const event = tables.events.get(String(uuid))
  if (event === undefined || event.project !== project || event.day !== day) return undefined
  return tables.ledger.has(event.month) ? event : undefined
}

function isRemoved({ tables, values: [month, , project, days, uuid] }: Scene): Outcome {
  const open = new Set(openBlocks(tables).map(({ number }) => number))
  const found = outboxOf(tables).some(({ month: of, removal, block }) => {
    if (of !== month || removal === null || !(block === null || open.has(block))) return false
    if (removal.kind === 'month') return true
    if (removal.project !== project) return false
    if (removal.kind === 'project') return true
    return removal.keys.some(([day, name]) => day === days && name === uuid)
  })
  return rowsOf([{ isRemoved: found }])
}

/** No month moves in the simulation, and no question reads counters. */
const still = (begins: string, outcome: Outcome): Described => ({ begins, run: () => outcome })

export const LEDGER_STATEMENTS: readonly Described[] = [
  still('lock table only', counted(0)),
  still('insert into event_counts as c', counted(1)),
  still('insert into project_changes as c', counted(1)),
  {
    begins: 'select c.relname as name, i.inhparent',
    run({ tables, values: [month] }) {
      const isKeyIndex = tables.ledger.has(String(month))
      return rowsOf([{ name: `${isKeyIndex ? 'event_ledger' : 'events'}_${month}`, isKeyIndex }])
    },
  },
  {
    begins: 'select substring(c.relname from 14) as month',
    run: ({ tables }) => rowsOf([...tables.ledger].map((month) => ({ month }))),
  },
  {
    begins: "select (exists (select from event_keeper where id and keeps = 'clickhouse')",
    run: isKept,
  },
  {
    begins: 'update event_keeper set is_full = not is_full',
    lock: { name: 'keeper', mode: 'alone' },
    run({ tables, values: [lease, isBeyond, isNear] }) {
      const { keeper } = tables
      const isFull = isBeyond === true || (keeper.isFull && isNear === true)
      if (keeper.lease !== lease || keeper.isFull === isFull) return counted(0)
      tables.keeper = { ...keeper, isFull }
      return rowsOf([{ isFull }])
    },
  },
  { begins: 'select b.number::float8 as number, sum(o.rows)', run: payloadBlocks },
  { begins: 'select l.project_id as "projectId", l.day::text', run: heldKeys },
  {
    begins: 'select from event_ledger where',
    run: ({ tables, values }) => rowsOf(keyed(tables, values) === undefined ? [] : [{}]),
  },
  {
    begins: 'delete from event_ledger where',
    run({ tables, values }) {
      const event = keyed(tables, values)
      return counted(event !== undefined && tables.events.delete(event.uuid) ? 1 : 0)
    },
  },
  { begins: 'select exists ( select from ( select removal from event_outbox', run: isRemoved },
]
