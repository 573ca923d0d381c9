/** Statement parts of a flush that write its events, and find those already stored. */
import { outboxFrom } from './flush-outbox.ts'
import { NEAR_MIDNIGHT_HOURS } from './near-midnight.ts'

/** Columns that `written` has beside project, day, uuid and event: of stored rows, and of the input. */
type MoreColumns = { readonly returned: string; readonly kept: string }

export type Home = {
  /** Common tables before `written`. @param rows which rows of the input go in. */
  before(rows: string): string
  /** The rows of the input that were new. */
  written(rows: string, more: MoreColumns): string
  /** Common table of the outbox, after so many parameters; empty without. */
  outbox(first: number): string
  /** Column of the answer. */
  readonly isFull: string
}

const DAY = "(timestamp at time zone 'UTC')::date"

/**
 * Column of the answer: the outbox takes no more. The row is read by its key: without a key the
 * plan is a scan of the table, for which older versions of Postgres charge 10^10 where scans are
 * off (`LOOKUP_SETTINGS`).
 */
const IS_FULL = ', exists (select from event_keeper where id and is_full) as "isFull"'

/** Whole events. */
export const EVENTS: Home = {
  before: () => '',
  written: (rows, { returned }) => `
    insert into events
      (project_id, day, uuid, timestamp, event, distinct_id, properties, elements_chain)
    select project_id, ${DAY} as day, uuid, timestamp, event,
      distinct_id, properties::jsonb, coalesce(elements_chain, '')
    from input ${rows}
    order by project_id, day, uuid
    on conflict do nothing
    returning project_id, day, uuid, event${returned}`,
  outbox: () => '',
  isFull: '',
}

/**
 * Keys of events: the outbox has the rest. The input has no row twice, so all of it is new when as
 * many rows were inserted; the hashed sub-select is for other flushes.
 */
export const KEYS: Home = {
  before: (rows) => `, kept as (
    insert into event_ledger (project_id, day, uuid)
    select project_id, ${DAY} as day, uuid from input ${rows}
    order by project_id, day, uuid
    on conflict do nothing
    returning project_id, day, uuid
  )`,
  written: (_, { kept }) => `
    select project_id, ${DAY} as day, uuid, event${kept}
    from input
    where (select count(*) from kept) = (select count(*) from input)
      or ((project_id, ${DAY}, uuid) in (select project_id, day, uuid from kept)) is true`,
  outbox: outboxFrom,
  isFull: IS_FULL,
}

export type OtherDay = { readonly column: string; readonly unstored: string }

export const NO_OTHER_DAY: OtherDay = { column: '', unstored: '' }

/**
 * One look into the unique index for each row near a midnight, none for others. A scalar sub-select
 * stays one: as an anti join it could be planned as a scan of all events. The other day is reckoned
 * before: a plan that is made while a table is small, and kept as it grows, takes for equal what
 * finds an event by its day and uuid and what reads the times of all events.
 */
const OTHER_DAY = `, case
        when extract(hour from timestamp at time zone 'UTC') < ${NEAR_MIDNIGHT_HOURS}
        then ${DAY} - 1
        when extract(hour from timestamp at time zone 'UTC') >= ${24 - NEAR_MIDNIGHT_HOURS}
        then ${DAY} + 1 end as other_day`

const unstoredIn = (table: string) => `
      and (
        select true from ${table} e where e.project_id = input.project_id
          and e.day = input.other_day and e.uuid = input.uuid
      ) is null`

/** The other side of midnight may be in another month, whose home may be the other table. */
export const ACROSS_MIDNIGHT: OtherDay = {
  column: OTHER_DAY,
  unstored: unstoredIn('events') + unstoredIn('event_ledger'),
}
