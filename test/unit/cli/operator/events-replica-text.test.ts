import t from 'tap'
import {
  readableComparison,
  readableStatus,
} from '../../../../src/cli/operator/events-replica-text.ts'

const STATUS = {
  configured: true,
  ...{ home: 'postgres', columns: [], parts: 0, parts_most: 0 },
  ...{ ledger_months: [], full: false },
  ...{ state: 'shipping', problem: '', holder: 'worker-1', blocks: 12, months: ['y2026m03'] },
  ...{ waiting_events: 0, waiting_flushes: 0, waiting_bytes: 0, lag_ms: 0, gaps: [] },
}

const HOME = 'home     Postgres: "sluice events move" moves the events'

t.test('the status in some lines', async (t) => {
  t.equal(
    readableStatus(STATUS),
    [...['state    shipping', 'kept by  worker-1', 'blocks   12', HOME], 'waiting  nothing'].join(
      '\n',
    ),
  )
  const gaps = [
    { month: 'old', reason: 'before the copy', asked: false },
    { month: 'y2026m03', reason: 'asked for', asked: true },
  ]
  const waiting = { waiting_events: 70, waiting_flushes: 2, waiting_bytes: 900, lag_ms: 1_234 }
  const more = { columns: ['plan', '$os'], parts: 48, parts_most: 12 }
  const ill = { state: 'refused', problem: 'wrong password', holder: '' }
  t.equal(
    readableStatus({ ...STATUS, ...ill, ...waiting, ...more, gaps }),
    [
      'state    refused: wrong password',
      'kept by  no worker',
      'blocks   12',
      HOME,
      'waiting  70 events in 2 flushes (900 bytes), the oldest for 1.2 s',
      'parts    48, at most 12 in a month',
      'columns  plan, $os',
      'lacking  before 2000: before the copy',
      'lacking  2026-03: asked for, being copied',
      '         "sluice events move" copies what is lacking',
    ].join('\n'),
  )
})

t.test('removals alone wait as well', async (t) => {
  const text = readableStatus({ ...STATUS, waiting_flushes: 3, lag_ms: 1_234 })
  t.match(text, 'waiting  removals of events, 3 of them, the oldest for 1.2 s')
})

t.test('months that have not left Postgres yet are named', async (t) => {
  const moved = { home: 'clickhouse', ledger_months: ['old'], full: true }
  t.match(
    readableStatus({ ...STATUS, ...moved }),
    [
      'home     ClickHouse',
      'moving   2026-03: run "sluice events move" again',
      'full     the outbox takes no more: captures wait in the spill',
    ].join('\n'),
  )
})

t.test('a comparison names days and blocks, a bounded number', async (t) => {
  const same = { events: 7, differences: [], missing_blocks: [] }
  t.equal(readableComparison('y2026m03', same), '2026-03  7 events, the same in both')
  const differences = Array.from({ length: 25 }, (_, index) => {
    return { project_id: 1, day: '2026-03-01', wanted: 4, found: index === 0 ? 4 : 2 }
  })
  const blocks = [1, 2, 3, 7, 9, 10]
  const lines = readableComparison('far', { events: 100, differences, missing_blocks: blocks })
  t.match(lines.split('\n'), [
    'from 2100  100 events, of which 25 days differ',
    '  project 1, 2026-03-01: ClickHouse has others than 4 events',
    '  project 1, 2026-03-01: ClickHouse has 2 of 4 events',
  ])
  t.match(lines, /and 5 days more\n {2}missing blocks: 1-3, 7, 9-10$/)
})
