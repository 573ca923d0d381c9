/**
 * What a worker without `EVENTS_URL` knows of ClickHouse: as long as Postgres has all events it
 * answers, and nobody here afterwards. Such a worker is not started where events have left, but may
 * run already when they do.
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
