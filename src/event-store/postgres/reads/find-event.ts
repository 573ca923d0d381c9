/** Finds one event by its uuid. */
import type { ProjectId } from '../../../core/ids.ts'
import type { QueriedEvent } from '../../../events/ports.ts'
import type { Db } from '../../../postgres/db.ts'
import { findEventAnywhere, findEventNear } from './event-find-store.ts'

/**
 * Finds an event by its uuid. Events are partitioned by day. A time-ordered uuid tells when it was
 * made, which is nearly always the day of the event. Otherwise every day is tried.
 */
export async function findEvent(
  db: Db,
  project: ProjectId,
  uuid: string,
): Promise<QueriedEvent | undefined> {
  const madeAt = madeAtMicros(uuid)
  const near = madeAt === undefined ? undefined : await findEventNear(db, project, uuid, madeAt)
  return near ?? (await findEventAnywhere(db, project, uuid))
}

/** The time in a version 7 uuid; undefined for other versions, and for times no event can have. */
function madeAtMicros(uuid: string): string | undefined {
  const digits = uuid.replaceAll('-', '')
  if (digits[12] !== '7') return undefined
  const ms = Number.parseInt(digits.slice(0, 12), 16)
  // Year 9999. Postgres can count beyond it, but no event is stored there.
  return ms < 253_402_300_800_000 ? String(BigInt(ms) * 1_000n) : undefined
}
