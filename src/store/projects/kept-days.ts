import type { Db } from '../../postgres/db.ts'

/**
 * Days for which the project `p` keeps its events now, as SQL; null keeps all. A shorter retention
 * applies from its own start on.
 */
export const KEPT_DAYS = `(case when p.events_retention_from > now()
  then p.events_retention_before else p.events_retention_days end)`

/** Stands for no limit: longer than any retention. */
const FOR_EVER = 2_147_483_647

/**
 * Sets the retention of the project `p`, as a part of its update. A shorter one than the current
 * takes effect so many hours later; a wait in progress continues if the new retention deletes no
 * more than the one it was for.
 */
export function retentionChange(db: Db, days: number | null, waitHours: number) {
  const next = db`${days}::integer`
  const kept = db.unsafe(KEPT_DAYS)
  const isSame = db`p.events_retention_days is not distinct from ${next}`
  const isShorter = db`coalesce(${next}, ${FOR_EVER}) < coalesce(${kept}, ${FOR_EVER})`
  return db`
    events_retention_days = ${next},
    events_retention_before = case
      when ${isSame} then p.events_retention_before when ${isShorter} then ${kept} end,
    events_retention_from = case
      when ${isSame} then p.events_retention_from
      when not ${isShorter} then null
      when p.events_retention_from > now() and p.events_retention_days <= ${next}
        then p.events_retention_from
      else now() + ${waitHours}::integer * interval '1 hour'
    end`
}
