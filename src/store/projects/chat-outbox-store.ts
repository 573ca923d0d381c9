/** Rows of messages for the chats of projects. */

import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { CHAT_SENDING_MAX, PLUGIN_FETCH_MS } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'

/** Messages of one project that wait; further ones are dropped. */
export const CHAT_WAITING_MAX = 100
/**
 * Pause before the second attempt, on average a quarter less; each further one is three times as
 * long.
 */
const CHAT_RETRY_MS = 90_000
/** New names of events that one turn takes. */
const NEW_EVENTS_PER_TURN_MAX = 1_000
/** New names that one message spells out. */
const NEW_EVENTS_NAMED_MAX = 10
/** Key of `pg_try_advisory_xact_lock`: any number that nothing else here locks. */
const NEWS_LOCK = '7386502317730147'
assert(PLUGIN_FETCH_MS < CHAT_RETRY_MS / 2, 'a message must not be due while it is being sent')

export type NewChatMessage = { readonly projectId: ProjectId; readonly body: string }

/** A message that was taken to be sent. */
export type DueChatMessage = {
  readonly id: string
  readonly projectId: ProjectId
  /** The webhook that the project has now; null or empty for none. */
  readonly address: string | null
  readonly body: string
  /** This one included. */
  readonly attempts: number
}

/** Names of new events that were not announced to a project yet. */
export type NewEventNames = {
  readonly projectId: ProjectId
  readonly projectName: string
  /** The first of them. */
  readonly names: readonly string[]
  readonly count: number
}

/** Call in the transaction of the change. Messages beyond the bound of a project are dropped. */
export async function insertChatMessages(
  tx: Db,
  messages: readonly NewChatMessage[],
): Promise<void> {
  await tx`
    insert into chat_outbox (id, project_id, body)
    select gen_random_uuid(), m."projectId", m.body
    from jsonb_to_recordset(${JSON.stringify(messages)}::text::jsonb)
      as m ("projectId" integer, body text)
    where (select count(*) from chat_outbox o where o.project_id = m."projectId")
      < ${CHAT_WAITING_MAX}`
}

/** Name of the project; undefined when it has no chat. */
export async function projectWithChat(db: Db, project: ProjectId): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`
    select name from projects where id = ${project} and chat_incoming_webhook <> ''`
  return row?.name
}

/**
 * Marks new definitions as announced, and returns those of projects with a chat. Call in the
 * transaction that writes the messages. One worker takes them at a time, so that names which came
 * together are told together; another one takes none, and no worker waits for a flush.
 */
export async function takeNewEventNames(tx: Db): Promise<NewEventNames[]> {
  const [lock] = await tx<{ isFree: boolean }[]>`
    select pg_try_advisory_xact_lock(${NEWS_LOCK}::text::bigint) as "isFree"`
  if (lock?.isFree !== true) return []
  return await tx<NewEventNames[]>`
    with born as (
      update event_definitions d set is_announced = true
      where d.id in (
        select id from event_definitions where not is_announced
        order by id limit ${NEW_EVENTS_PER_TURN_MAX} for no key update skip locked
      )
      returning d.project_id, d.name
    )
    select b.project_id as "projectId", p.name as "projectName", count(*)::integer as count,
      (array_agg(b.name order by b.name))[1:${NEW_EVENTS_NAMED_MAX}::integer] as names
    from born b join projects p on p.id = b.project_id
    where p.chat_incoming_webhook <> ''
    group by b.project_id, p.name order by b.project_id`
}

/**
 * Takes due messages, and sets the time of their next attempt: if the worker dies while it sends,
 * they are sent again. Two workers never take the same ones.
 */
export async function takeDueChatMessages(db: Db): Promise<DueChatMessage[]> {
  return await db<DueChatMessage[]>`
    with due as materialized (
      select id from chat_outbox where next_attempt_at <= now()
      order by next_attempt_at, id limit ${CHAT_SENDING_MAX} for update skip locked
    )
    update chat_outbox m set attempts = m.attempts + 1,
      next_attempt_at = now() + (0.5 + random() / 2) * power(3, m.attempts)
        * make_interval(secs => ${CHAT_RETRY_MS / 1000})
    from due, projects p where m.id = due.id and p.id = m.project_id
    returning m.id, m.project_id as "projectId", p.chat_incoming_webhook as address, m.body,
      m.attempts`
}

/** Deletes a message that was sent, or given up on. */
export async function deleteChatMessage(db: Db, id: string): Promise<void> {
  await db`delete from chat_outbox where id = ${id}`
}
