/**
 * Accepted losses: months in which ClickHouse has lost events that nothing else has, and that an
 * operator has released for reading.
 */

import { LOSS_ACCEPTED, LOST } from '../../event-store/outbox/gaps.ts'
import type { Db } from '../../postgres/db.ts'

/** @returns those of the months that have lost events: answers no longer wait for them. */
export async function acceptLoss(db: Db, months: readonly string[]): Promise<readonly string[]> {
  const rows = await db<{ month: string }[]>`
    update event_gaps set reason = ${LOSS_ACCEPTED}
    where reason = ${LOST} and not asked
      and month in (select unnest(string_to_array(${months.join(',')}, ',')))
    returning month`
  return rows.map(({ month }) => month).sort()
}

export async function isLossAccepted(db: Db, month: string): Promise<boolean> {
  const [row] = await db<{ isAccepted: boolean }[]>`
    select exists (
      select from event_gaps where month = ${month} and reason = ${LOSS_ACCEPTED}
    ) as "isAccepted"`
  return row?.isAccepted === true
}
