/** Scan budget of an organization that never pays for time, however busy the machine is. */
import { systemClock } from '../../../src/core/clock.ts'
import { organizationId } from '../../../src/core/ids.ts'
import { createQueryLimiter, type Scans } from '../../../src/query/query-limiter.ts'

export function anyScans(): Scans {
  const gate = createQueryLimiter(systemClock, { hasOthers: async () => false })
  return gate.of(organizationId('01900000-0000-7000-8000-000000000000'))
}
