/** Simulated statements of a fill and of a comparison. */

import { counted, type Described, rowsOf, timeText } from './described.ts'
import { eventsOf, MONTHS, openBlocks, outboxOf, type StoredEvent, type Tables } from './tables.ts'

const half = (uuid: string, from: number) =>
  BigInt.asIntN(64, BigInt(`0x${uuid.replaceAll('-', '').slice(from, from + 16)}`))

function sums(tables: Tables, month: string) {
  const groups = new Map<string, StoredEvent[]>()
  for (const event of eventsOf(tables, month)) {
    const key = `${event.project} ${event.day}`
    groups.set(key, [...(groups.get(key) ?? []), event])
  }
  return [...groups].map(([key, events]) => {
    const sum = (from: number) => events.reduce((all, { uuid }) => all + half(uuid, from), 0n)
    return { key, count: events.length, high: String(sum(0)), low: String(sum(16)) }
  })
}

function waitingIds(tables: Tables, month: unknown) {
  const open = new Set(openBlocks(tables).map(({ number }) => number))
  return outboxOf(tables)
    .filter((row) => row.month === month && row.removal === null)
    .filter(({ block }) => block === null || open.has(block))
    .map(({ id }) => ({ id: BigInt(id) }))
    .reverse()
}

const monthIn = (values: readonly unknown[]) =>
  String(values[0]).replace(/^event(?:s|_ledger)_/, '')

/** Names of tables are values too, and come first. */
function chosen(tables: Tables, values: readonly unknown[]): readonly StoredEvent[] {
  const [, project, day, uuids] = values
  const wanted = new Set(String(uuids).split(','))
  return eventsOf(tables, monthIn(values)).filter(
    (event) => event.project === project && event.day === day && wanted.has(event.uuid),
  )
}

const READS: readonly Described[] = [
  {
    begins: 'select substring(c.relname from 8) as month',
    run: () => rowsOf(MONTHS.map((month) => ({ month }))),
  },
  {
    begins: 'select (coalesce( (select min(number) - 1',
    run({ tables }) {
      const [first] = openBlocks(tables)
      return rowsOf([
        { snapshotBlock: first === undefined ? tables.replicator.lastBlock : first.number - 1 },
      ])
    },
  },
  {
    begins: 'select id from event_outbox where month = ?',
    run: ({ tables, values }) => rowsOf(waitingIds(tables, values[0])),
  },
  {
    begins: 'select payload, skipped, text_bytes',
    run({ tables, values }) {
      const row = tables.outbox.get(Number(values[0]))
      return rowsOf(row === undefined ? [] : [row])
    },
  },
  {
    begins: "select project_id || ' ' || day as key",
    run: ({ tables, values }) => rowsOf(sums(tables, monthIn(values))),
  },
  {
    begins: 'select uuid::text from',
    run({ tables, values }) {
      const [, project, day, after] = values
      const bound = values.length > 4 ? String(after) : ''
      return rowsOf(
        eventsOf(tables, monthIn(values)).filter(
          (event) => event.project === project && event.day === day && event.uuid > bound,
        ),
      )
    },
  },
  {
    begins: 'select number::float8 as number from event_blocks where month',
    run: ({ tables, values: [month, snapshotBlock] }) =>
      rowsOf(
        [...tables.blocks.values()].filter(
          (block) =>
            block.month === month && block.rows > 0 && block.number <= Number(snapshotBlock),
        ),
      ),
  },
  {
    begins: 'select month from event_gaps where asked order by month desc',
    run({ tables }) {
      const asked = [...tables.gaps].filter(([, gap]) => gap.asked).map(([month]) => month)
      return rowsOf(
        asked
          .sort()
          .reverse()
          .slice(0, 1)
          .map((month) => ({ month })),
      )
    },
  },
]

const WRITES: readonly Described[] = [
  {
    begins: 'select from ? e where project_id = ? and day = ?::text::date',
    run: ({ tables, values }) => rowsOf(chosen(tables, values)),
  },
  {
    begins: 'select "projectId", uuid, event, "distinctId", timestamp, properties',
    run({ tables, values }) {
      const rows = chosen(tables, values)
      const texts = { distinctId: 'd', properties: '{}', elementsChain: '' }
      return rowsOf(
        rows.map(({ project, uuid, event, day }) => ({
          ...{ projectId: project, uuid, event, ...texts },
          ...{ timestamp: `${day}T00:00:00.000000Z`, createdAt: timeText(0) },
        })),
      )
    },
  },
  {
    begins: 'insert into event_outbox (month, removal, block)',
    run({ tables, values: [month, removal, block], takeId, now }) {
      const id = takeId()
      const place = { id, month: String(month), block: Number(block), committedAt: now }
      const empty = { payload: null, skipped: [], rows: 0, textBytes: 0 }
      tables.outbox.set(id, { ...place, ...empty, removal: JSON.parse(String(removal)) })
      return counted(1)
    },
  },
  {
    begins: 'insert into event_outbox (month, payload, rows, text_bytes, block)',
    run({ tables, values: [month, payload, rows, textBytes, block], takeId, now }) {
      const id = takeId()
      const place = { id, month: String(month), block: Number(block), committedAt: now }
      const size = { skipped: [], rows: Number(rows), textBytes: Number(textBytes) }
      const bytes = Buffer.from(String(payload), 'base64')
      tables.outbox.set(id, { ...place, ...size, removal: null, payload: bytes })
      return counted(1)
    },
  },
  {
    begins: 'delete from event_gaps where month = ?',
    run({ tables, values }) {
      return counted(tables.gaps.delete(String(values[0])) ? 1 : 0)
    },
  },
  {
    begins: 'update event_gaps set asked = false',
    run({ tables, values }) {
      const [reason, month] = values
      tables.gaps.set(String(month), { reason: String(reason), asked: false })
      return counted(1)
    },
  },
  {
    begins:
      'insert into event_gaps as g (month, reason, asked) select ?, ?, ?::boolean where exists (select from distinct_ids)',
    run: () => counted(0),
  },
  {
    begins: 'insert into event_gaps (month, reason, asked) values (?, ?, false)',
    run({ tables, values: [month, reason] }) {
      if (tables.gaps.has(String(month))) return counted(0)
      tables.gaps.set(String(month), { reason: String(reason), asked: false })
      return counted(1)
    },
  },
  {
    begins: 'insert into event_gaps (month, reason, asked) select ?, ?, false',
    run({ tables, values: [month, reason] }) {
      const isKnown = tables.gaps.has(String(month))
      const hasEvents = eventsOf(tables, String(month)).length > 0
      if (isKnown || !hasEvents) return counted(0)
      tables.gaps.set(String(month), { reason: String(reason), asked: false })
      return counted(1)
    },
  },
]

export const FILL_STATEMENTS: readonly Described[] = [...READS, ...WRITES]
