import t from 'tap'
import { projectId } from '../../../../src/core/ids.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import type { StoredDeletion } from '../../../../src/privacy/deletion-store.ts'
import { askedOfDeletion } from '../../../../src/query/list/deletion-selection.ts'

/** Events selected by the filters of a deletion, on 2 June 2026 in the evening of New York. */
function asked(filters: JsonObject) {
  const deletion = { projectId: projectId(1), filters, askedAt: '2026-06-03T02:00:00.000000Z' }
  // The rest of a row says nothing of its events.
  return askedOfDeletion(deletion as unknown as StoredDeletion)
}

const micros = (text: string) => String(Date.parse(text) * 1_000)

t.test('a deletion has the days of the zone that it was asked in', async (t) => {
  const zone = { timezone: 'America/New_York', week_start_day: 1 }
  const { after, before } = asked({ ...zone, after: '-1d', before: '2026-06-02' })
  t.equal(after, micros('2026-06-01T04:00:00Z'))
  t.equal(before, micros('2026-06-02T04:00:00Z'))
  const where = ["toStartOfWeek(timestamp) = '2026-05-31'"]
  const weeks = [0, 1].map((day) => JSON.stringify(asked({ ...zone, week_start_day: day, where })))
  t.not(weeks[0], weeks[1], 'and its weeks')
})

t.test('one that was asked of an older release keeps days of UTC', async (t) => {
  for (const older of [{}, { timezone: 'America/New_York' }]) {
    const { after, before } = asked({ ...older, after: '-1d', before: '2026-06-02' })
    t.equal(after, micros('2026-06-02T00:00:00Z'))
    t.equal(before, micros('2026-06-02T00:00:00Z'))
  }
})
