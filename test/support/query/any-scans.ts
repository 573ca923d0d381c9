/** Scan budget of an organization that never pays for time, however busy the machine is. */
import { systemClock } from '../../../src/core/clock.ts'
import { organizationId } from '../../../src/core/ids.ts'
import { createScanGate, type Scans } from '../../../src/query/scan-gate.ts'

export function anyScans(): Scans {
  const gate = createScanGate(systemClock, { hasOthers: async () => false })
  return gate.of(organizationId('01900000-0000-7000-8000-000000000000'))
}
