/** A temporary Postgres for benches that need no product. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { Releasers } from '../../../src/core/releasers.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/embedded/embedded-postgres.ts'

/**
 * Starts a Postgres for this bench in a temporary folder. `releasers` removes both.
 * @param kept a folder that stays instead, with what is in it.
 */
export async function startOwnPostgres(
  releasers: Releasers,
  kept?: string,
): Promise<Pick<EmbeddedPostgres, 'url' | 'pid'>> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  // Postgres does not run as root, and must reach its own folder in here.
  chmodSync(folder, 0o711)
  if (kept === undefined) {
    releasers.push('folder', () => rmSync(folder, { recursive: true, force: true }))
  }
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log, clock })
  releasers.push('postgres', postgres.stop)
  return postgres
}
