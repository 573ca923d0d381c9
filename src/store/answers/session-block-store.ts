/** Blocks of the events that sessions are made of: one for a project and a day that has ended. */
import type { ProjectId } from '../../core/ids.ts'
import { intArray } from '../../postgres/columns.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { DAY_VERSION } from './change-counts.ts'
import { type Forgotten, holdAnswers } from './forget-answers.ts'

/** Days for which blocks are kept. Older ones are read from the events. */
export const SESSION_BLOCK_DAYS = 190

/** A day of a project, with its block if there is one. */
export type BlockDay = {
  /** Days of UTC since 1970. */
  readonly day: number
  /** Stored events of the day. */
  readonly stored: number
  readonly version: string
  /** The block is of this version, and has these roles. */
  readonly block: { readonly roles: readonly string[]; readonly events: number } | undefined
}

type DayRow = {
  readonly day: number
  readonly stored: number
  readonly version: string
  readonly roles: string | null
  readonly events: number | null
}

/**
 * Days with events, in order.
 * @param form of the blocks that count.
 */
export async function findBlockDays(
  db: Db,
  project: ProjectId,
  { first, last }: { readonly first: number; readonly last: number },
  form: string,
): Promise<readonly BlockDay[]> {
  const rows = await db<DayRow[]>`
    select c.day, c.stored, c.version, b.roles, b.events from (
      select (day - date 'epoch')::integer as day, sum(count)::float8 as stored,
        ${db.unsafe(DAY_VERSION)} as version
      from event_counts
      where project_id = ${project} and day >= date 'epoch' + ${first}::integer
        and day <= date 'epoch' + ${last}::integer
      group by 1
    ) c
    left join session_blocks b on b.project_id = ${project} and b.day = c.day
      and b.version = c.version and b.form = ${form}
    where c.stored > 0 order by c.day`
  return rows.map(({ roles, events, ...day }) => ({
    ...day,
    block:
      roles === null
        ? undefined
        : { roles: roles === '' ? [] : roles.split(','), events: events ?? 0 },
  }))
}

/** Compressed blocks by their days. */
export async function readBlocks(
  db: Db,
  project: ProjectId,
  days: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const rows = await db<{ day: number; bytes: Buffer }[]>`
    select day, bytes from session_blocks
    where project_id = ${project} and day = any(${intArray(days)}::integer[])`
  return new Map(rows.map(({ day, bytes }) => [day, bytes]))
}

export type BlockToKeep = {
  readonly day: number
  readonly version: string
  readonly form: string
  readonly roles: readonly string[]
  readonly events: number
  /** Compressed. */
  readonly bytes: Buffer
}

/**
 * Keeps a block, unless events of the project have been deleted since, or the project is removed.
 * @param forgotten as it was before the events were read.
 */
export async function keepBlock(
  sql: Sql,
  project: ProjectId,
  { day, version, form, roles, events, bytes }: BlockToKeep,
  forgotten: Forgotten,
): Promise<void> {
  await sql.begin(async (tx) => {
    await holdAnswers(tx, project)
    await tx`
      insert into session_blocks (project_id, day, version, form, roles, events, bytes)
      select ${project}::integer, ${day}::integer, ${version}, ${form}, ${roles.join(',')},
        ${events}::integer, ${bytes}
      where exists (select from projects where id = ${project}) and ${forgotten}::bigint = (
        select coalesce(sum(count), 0) from project_changes
        where project_id = ${project} and kind in ('deletion', 'forgotten')
      )
      on conflict (project_id, day) do update set version = excluded.version,
        form = excluded.form, roles = excluded.roles, events = excluded.events,
        bytes = excluded.bytes`
  })
}

/** Deletes blocks of days before one. */
export async function removeOldBlocks(db: Db): Promise<void> {
  await db`
    delete from session_blocks
    where day < current_date - date 'epoch' - ${SESSION_BLOCK_DAYS}::integer`
}
