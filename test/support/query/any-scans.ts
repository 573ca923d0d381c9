/** Turns of an organization that nobody shares. */
import { systemClock } from '../../../src/core/clock.ts'
import { organizationId } from '../../../src/core/ids.ts'
import { createScanGate, type Scans } from '../../../src/query/scan-gate.ts'

export function anyScans(): Scans {
  return createScanGate(systemClock).of(organizationId('01900000-0000-7000-8000-000000000000'))
}
