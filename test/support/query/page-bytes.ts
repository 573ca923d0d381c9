/** Pages of tables of events against the bytes that they may have. */
import type { Test } from 'tap'
import { EVENT_PAGE_BYTES_MAX } from '../../../src/core/limits/limits-query.ts'
import { refusal } from '../api/management.ts'
import { putEvents } from '../ingest/events.ts'
import { testDatabase } from '../servers/database.ts'
import { tablesOf } from './event-table.ts'

const PROJECT = 1
/** With events of megabytes, more than one row may hold. */
const COLUMNS = 32

/** @param columns how many columns a row has that is answered, from 3 to 32: each is megabytes. */
export async function checkPagesAreCut(t: Test, columns: number): Promise<void> {
  const { sql } = await testDatabase(t)
  const text = 'x'.repeat(EVENT_PAGE_BYTES_MAX / 2)
  const large = Array.from({ length: 3 }, () => ({
    timestamp: '2024-01-01T00:00:00Z',
    properties: { text },
  }))
  await putEvents(sql, PROJECT, large)
  const { list, rows } = tablesOf(sql, PROJECT)
  const tooLarge = { code: 'invalid_input', attr: 'limit' }
  for (const select of [
    ['properties.text'],
    ['*'],
    ['event', 'properties'],
    ['properties.text || 1', '*'],
  ]) {
    t.match(await refusal(list(select)), tooLarge)
    const page = await list(select, { limit: 1, offset: 1 })
    t.match(page, { count: 3, has_more: true })
  }
  const wide = Array.from({ length: COLUMNS }, (_, index) => `length(properties.text) + ${index}`)
  t.match(await rows(wide.slice(0, columns), { limit: 1 }), [{ length: columns }])
  const huge = { text: text.repeat(2) }
  await putEvents(sql, PROJECT, [{ timestamp: '2024-02-01T00:00:00Z', properties: huge }])
  t.match(await refusal(list(wide, { limit: 1, orderBy: ['-timestamp'] })), tooLarge)
  const fewer = Math.min(columns, 9)
  const last = { limit: 1, orderBy: ['-timestamp'] }
  t.match(await rows(wide.slice(0, fewer), last), [{ length: fewer }])
  await sql`delete from events where timestamp = '2024-02-01'`
  const whole = Array.from({ length: columns }, () => 'properties')
  t.match(await refusal(list(whole, { limit: 1 })), tooLarge)
  t.match(await rows(['length(properties.text)', 'count()']), [[text.length, 3]])
}
