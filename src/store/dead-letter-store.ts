import { v5 } from 'uuid'
import type { FlushRow, StoreError } from '../ingest/ingest-store.ts'
import { parseUuid } from '../ingest/uuid.ts'
import type { Db } from './db.ts'

/** Names of uuids that are none. */
const BAD_UUID_NAMESPACE = '5d0b0b43-9a1c-4a9e-8f6c-0d8e3d0f7b1e'
const ERROR_LENGTH_MAX = 1_000

/**
 * Keeps an event that the database refuses: whatever is in it, it must fit here. Again the same
 * event: one row, one more attempt. Nothing is kept of a project that is gone.
 */
export async function insertDeadLetter(db: Db, row: FlushRow, reason: StoreError): Promise<void> {
  const { projectId, event } = row
  const uuid = parseUuid(event.uuid) ?? v5(event.uuid, BAD_UUID_NAMESPACE)
  // Escapes NUL and lone surrogates, so that the original can be read back.
  const payload = JSON.stringify(event)
  await db`
    insert into dead_letters as d
      (project_id, uuid, event, distinct_id, payload, sqlstate, error)
    select p.id, ${uuid}, ${storable(event.event)}, ${storable(event.distinctId)},
      ${payload}, ${reason.code}, ${storable(reason.message).slice(0, ERROR_LENGTH_MAX)}
    from projects p where p.id = ${projectId}
    on conflict (project_id, uuid) do update
    set attempts = d.attempts + 1, payload = excluded.payload, sqlstate = excluded.sqlstate,
      error = excluded.error`
}

/** Rows of all projects. */
export async function countDeadLetters(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from dead_letters`
  return row?.count ?? 0
}

/** The driver writes lone surrogates as U+FFFD; NUL would be refused. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}
