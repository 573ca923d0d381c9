/** The service that answers decides, over the stored persons and groups. */
import type { Clock } from '../core/clock.ts'
import { createDecideService, type DecideService } from '../project/decide.ts'
import {
  createLargeReads,
  insertContinuity,
  loadGroups,
  loadPersons,
} from '../store/projects/decide-store.ts'
import type { Worker } from './types.ts'
import type { CallMetrics } from './worker-call-metrics.ts'

type DecideDeps = {
  readonly worker: Pick<Worker, 'lookups' | 'health'>
  readonly calls: Pick<CallMetrics, 'counted'>
  readonly clock: Clock
}

export function createDecide({ worker, calls, clock }: DecideDeps): DecideService {
  const { lookups, health } = worker
  const takeLarge = createLargeReads(clock)
  return calls.counted(
    createDecideService({
      store: {
        persons: (wanted) => loadPersons(lookups, wanted, takeLarge),
        groups: (wanted) => loadGroups(lookups, wanted, takeLarge),
        keepContinuity: (project, rows) => insertContinuity(lookups, project, rows),
      },
      health,
      clock,
    }),
  )
}
