/** The writer's store over a Postgres of its own, without gateway, worker and HTTP. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Releasers } from '../../../src/core/releasers.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/embedded/embedded-postgres.ts'
import {
  createIngestStore,
  type PostgresIngestStore,
} from '../../../src/event-store/postgres/flush/ingest-store.ts'
import { createSql, type Sql } from '../../../src/postgres/connect.ts'
import { migrate } from '../../../src/postgres/migrate.ts'

export type OwnStore = {
  readonly store: PostgresIngestStore
  /** A connection beside those of the store. */
  readonly sql: Sql
  /** Opens more connections: they end before the server. */
  readonly connect: (connectionsMax: number) => Sql
  /** Id of the server's first process. */
  readonly pid: () => number | undefined
}

/**
 * Its database has the project 1.
 * @param releasers end what is started. @param copies whether flushes fill the outbox of a copy.
 */
export async function openOwnStore(releasers: Releasers, copies = false): Promise<OwnStore> {
  const { url, pid } = await startOwnPostgres(releasers)
  const open = (lookupsOnly: boolean) => () =>
    createSql(url, { applicationName: 'bench', log, connectionsMax: 1, lookupsOnly })
  const sql = open(false)()
  releasers.push('connection', () => sql.end({ timeout: 1 }))
  await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
  await sql`
    with made as (
      insert into organizations (id, name, slug) values (gen_random_uuid(), 'o', 'o') returning id
    )
    insert into projects (id, uuid, organization_id, api_token)
    select 1, gen_random_uuid(), id, 'token' from made`
  const store = createIngestStore(
    { open: open(true), clock, onGroupTypes: async () => undefined, onWarnings: () => {} },
    { connections: 1, countSlot: 0, replicates: copies },
  )
  releasers.push('store', () => store.close())
  const connect = (connectionsMax: number) => {
    const more = createSql(url, { applicationName: 'bench', log, connectionsMax })
    releasers.push('more connections', () => more.end({ timeout: 1 }))
    return more
  }
  return { store, sql, connect, pid }
}

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
