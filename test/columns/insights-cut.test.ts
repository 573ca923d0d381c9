/** A question to ClickHouse that takes too long, or whose caller has gone. */
import t from 'tap'
import { readRows } from '../../src/event-store/clickhouse/insights/read-statement.ts'
import { fragment } from '../../src/postgres/fragment.ts'
import { columnServer, failureOf, openColumns } from '../support/columns/column-store.ts'
import { until } from '../support/until.ts'

t.test('a question to ClickHouse ends with its time, and with its caller', async (t) => {
  const store = await openColumns(t, await columnServer(t))
  const slow = fragment`select sum(sleepEachRow(0.1)), ${'slow one'} from numbers(6000)
    settings max_block_size = 1`
  const running = async () => {
    const own = `select count() from system.processes where query like '%sleepEachRow(0.1)%'
      and query not like '%system.processes%'`
    return Number((await store.rows(own))[0]?.[0])
  }
  const never = new AbortController().signal
  await t.rejects(readRows(store, slow, { timeoutMs: 500, signal: never }), {
    code: 'deadline_exceeded',
  })
  const caller = new AbortController()
  const left = t.rejects(readRows(store, slow, { timeoutMs: 60_000, signal: caller.signal }), {
    code: 'cancelled',
  })
  await until('it runs', async () => (await running()) === 1)
  caller.abort()
  await left
  await until('it has ended', async () => (await running()) === 0)
  const refused = readRows(store, fragment`select nothing`, { timeoutMs: 500, signal: never })
  t.match(await failureOf(refused), /^failed: ClickHouse: /)
})
