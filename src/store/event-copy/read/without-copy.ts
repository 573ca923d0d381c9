/**
 * Reads of a worker without `EVENTS_URL`: Postgres answers as long as it has all events, and no
 * store afterwards. Such a worker does not start once events have left Postgres, but may be running
 * when they do.
 */
import { isLedgerKept } from '../../event-home/ledger.ts'
import type { InsightsElsewhere } from '../../insights/insights-elsewhere.ts'
import { away } from './no-answer.ts'
import type { CopiedEvents } from './read-copy.ts'

const WHY = 'this worker has no EVENTS_URL'

export const withoutCopy: InsightsElsewhere & CopiedEvents = {
  async open(sql) {
    if (await isLedgerKept(sql)) throw away(WHY)
    return undefined
  },
  failed: () => false,
  isOnly: (sql) => isLedgerKept(sql),
  read: () => Promise.reject(away(WHY)),
}
