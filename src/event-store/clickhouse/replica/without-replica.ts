/**
 * Reads of a worker without `EVENTS_URL`: Postgres answers until the events move, and no store
 * afterwards. Such a worker does not start once they have moved, but may be running when they do.
 */

import type { ColumnarInsights } from '../../columnar-insights.ts'
import { createHomeLook } from '../../months/home.ts'
import { away } from '../no-answer.ts'
import type { ReplicaEvents } from './replica-reads.ts'

const WHY = 'this worker has no EVENTS_URL'

export const withoutReplica = (): ColumnarInsights & ReplicaEvents => ({
  isHome: createHomeLook(),
  open: () => Promise.reject(away(WHY)),
  refuse(error) {
    throw error
  },
  read: () => Promise.reject(away(WHY)),
})
