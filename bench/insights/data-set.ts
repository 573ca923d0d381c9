/**
 * Events of a made-up shop, written by SQL straight into the store of a product: sessions of ten
 * events over 90 days. The same sizes and the same end give the same rows.
 */
import { createPartitions, partitionOf } from '../../src/event-store/months/partitions.ts'
import type { Sql } from '../../src/postgres/connect.ts'

export type DataSet = {
  readonly project: number
  readonly events: number
  readonly persons: number
  /** Unix milliseconds of the newest event. */
  readonly untilMs: number
}

export const DATA_DAYS = 90
const DAY_MS = 86_400_000
/** Events of one statement. */
const PIECE = 200_000
const SESSION_EVENTS = 10
/** Seconds between two events of a session. */
const STEP_S = 25
/** One session in this many has a distinct id without a person. */
const UNKNOWN_EACH = 20

/** Writes persons with their distinct ids, partitions, events and their counts. */
export async function writeDataSet(sql: Sql, dataSet: DataSet): Promise<void> {
  await writePersons(sql, dataSet)
  const days = Array.from({ length: DATA_DAYS + 1 }, (_, ago) =>
    partitionOf(new Date(dataSet.untilMs - ago * DAY_MS).toISOString()),
  )
  await createPartitions(sql, [...new Map(days.map((each) => [each.name, each])).values()])
  for (let from = 0; from < dataSet.events; from += PIECE) {
    await writeEvents(sql, dataSet, from, Math.min(from + PIECE, dataSet.events) - 1)
  }
  await sql`
    insert into event_counts (project_id, event, day, slot, count)
    select project_id, event, day, 0, count(*) from events
    where project_id = ${dataSet.project} group by 1, 2, 3`
  await sql`vacuum analyze events, event_counts, persons, distinct_ids`
}

/** Every fifth person has a second distinct id, from the time before it was identified. */
async function writePersons(sql: Sql, { project, persons, untilMs }: DataSet): Promise<void> {
  const firstMs = untilMs - DATA_DAYS * DAY_MS
  await sql`
    with made as (
      insert into persons (project_id, uuid, properties, is_identified, created_at)
      select ${project}::integer, md5('person ' || n)::uuid, jsonb_build_object(
          'n', n, 'email', 'user' || n || '@example.com', 'city', 'city ' || n % 500,
          'plan', (array['free', 'free', 'free', 'pro', 'team'])[1 + n % 5]),
        true, to_timestamp(${firstMs / 1_000}::float8)
      from generate_series(0, ${persons - 1}::integer) n
      returning id, (properties->>'n')::integer as n
    )
    insert into distinct_ids (project_id, distinct_id, person_id)
    select ${project}::integer, 'user-' || n, id from made
    union all select ${project}::integer, 'anonymous-' || n, id from made where n % 5 = 0`
}

/**
 * Writes events. Event `i` is the `i % 10`th of session `i / 10`. Differences between sessions and
 * events are derived from a hash of their numbers. Some persons return more often than others.
 */
async function writeEvents(sql: Sql, dataSet: DataSet, from: number, to: number): Promise<void> {
  const { project, persons, events, untilMs } = dataSet
  const sessions = Math.ceil(events / SESSION_EVENTS)
  const untilS = untilMs / 1_000
  const rangeS = (DATA_DAYS * DAY_MS) / 1_000 - SESSION_EVENTS * STEP_S
  await sql`
    with numbered as (
      select i, i / ${SESSION_EVENTS}::bigint as session, i % ${SESSION_EVENTS}::bigint as step,
        hashint8extended(i, 1) & 1048575 as random
      from generate_series(${from}::bigint, ${to}::bigint) i
    ), drawn as (
      select *, to_timestamp(${untilS}::float8 - ${rangeS}::float8
          * (1 - (session + 1)::float8 / ${sessions}::float8)
          - ${STEP_S}::float8 * (${SESSION_EVENTS}::integer - step)) as at,
        floor(${persons}::float8
          * power((hashint8extended(session, 2) & 1048575) / 1048576.0, 2))::integer as person,
        (hashint8extended(session, 3) & 1048575)::integer as drawn
      from numbered
    )
    insert into events (project_id, day, uuid, timestamp, event, distinct_id, properties)
    select ${project}::integer, (at at time zone 'UTC')::date, md5('event ' || i)::uuid, at,
      case
        when step = 0 and drawn % 12 = 0 then 'signed up'
        when step = 5 and random % 3 = 0 then 'added to cart'
        when step = 8 and random % 5 = 0 then 'paid'
        when random % 8 = 0 then '$autocapture'
        else '$pageview'
      end,
      case
        when drawn % ${UNKNOWN_EACH}::integer = 0 then 'unknown-' || session
        when person % 5 = 0 and drawn % 3 = 0 then 'anonymous-' || person
        else 'user-' || person
      end,
      jsonb_build_object(
        '$session_id', 's-' || session,
        '$browser', (array['Chrome', 'Chrome', 'Chrome', 'Safari', 'Safari', 'Firefox', 'Edge'])
          [1 + drawn % 7],
        '$os', (array['Windows', 'Mac OS X', 'Android', 'iOS', 'Linux'])[1 + drawn / 7 % 5],
        '$pathname', '/page/' || floor(power(random / 1048576.0, 3) * 400)::integer,
        '$referring_domain', 'site-' || drawn / 35 % 40 || '.example.com',
        'campaign', 'campaign ' || drawn / 1400 % 60,
        'amount', round(((random % 20000) / 100.0)::numeric, 2))
    from drawn`
}
