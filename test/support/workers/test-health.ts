/** Database health for tests without a database. */
import type { Clock } from '../../../src/core/clock.ts'
import { createDatabaseHealth, type DatabaseHealth } from '../../../src/core/database-health.ts'
import { silentLog as log } from '../../../src/core/log.ts'

/** Health of a store that is away after any failure, unless `probe` is answered. */
export function testHealth(
  clock: Clock,
  probe: () => Promise<unknown> = () => Promise.reject(new Error('away')),
): DatabaseHealth {
  return createDatabaseHealth({ clock, log, isUnreachable: () => true, probe })
}
