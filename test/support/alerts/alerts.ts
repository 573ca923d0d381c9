/** Alerts in a database of their own, with the worker's checks of them. */
import type { Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { systemClock } from '../../../src/core/clock.ts'
import { NO_FAILPOINTS } from '../../../src/core/failpoint.ts'
import type { Json } from '../../../src/core/json.ts'
import { silentLog } from '../../../src/core/log.ts'
import { withoutReplica } from '../../../src/event-store/clickhouse/replica/without-replica.ts'
import { type AlertChecksDeps, createAlertChecks } from '../../../src/manage/alerts/alert-checks.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { putEvents } from '../ingest/events.ts'
import { createProject } from '../ingest/ingest-store.ts'
import { testDatabase } from '../servers/database.ts'

/** A Wednesday, in the middle of an hour. */
const NOW = '2026-11-25T12:30:00Z'
const HOUR_MS = 3_600_000

const SITE = 'https://sluice.example.com'
export const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Checks as a worker makes them, at a moment that the test moves. */
export function checksOver(sql: Sql, deps: Partial<AlertChecksDeps> = {}) {
  return createAlertChecks({
    sql,
    scans: sql,
    columnar: withoutReplica(),
    clock: { ...systemClock, now: () => Date.parse(NOW) },
    log: silentLog,
    failpoints: NO_FAILPOINTS,
    sendsMail: true,
    siteUrl: () => SITE,
    onChecked: () => undefined,
    ...deps,
  })
}

type AlertRow = {
  readonly condition?: Json
  readonly bounds?: Json
  readonly noBounds?: true
  readonly boundsType?: 'absolute' | 'percentage'
  readonly config?: Json
  readonly interval?: string
  readonly webhookUrl?: string
  readonly query?: object
}

const QUERY = {
  kind: 'TrendsQuery',
  interval: 'hour',
  series: [{ kind: 'EventsNode', event: 'order', name: 'Orders' }],
}

/** A project with a chat, a member who subscribes, and one insight for each alert. */
export async function alertSite(t: Test) {
  const { sql, url } = await testDatabase(t, { connectionsMax: 6 })
  const project = await createProject(sql)
  await sql`update projects set name = 'Shop', chat_incoming_webhook = 'https://chat.example.com'
    where id = ${project}`
  const [user] = await sql<{ id: number }[]>`
    with u as (
      insert into users (uuid, distinct_id, email, first_name)
      values (gen_random_uuid(), gen_random_uuid()::text, 'ann@example.com', 'Ann') returning id
    ), m as (
      insert into memberships (id, organization_id, user_id, level)
      select gen_random_uuid(), p.organization_id, u.id, 1
      from projects p, u where p.id = ${project}
    )
    select id from u`
  const make = async (row: AlertRow = {}) => {
    const id = uuidv7()
    const type = row.boundsType ?? 'absolute'
    const bounded = { configuration: { type, bounds: row.bounds ?? { lower: 3 } } }
    const threshold = row.noBounds === true ? {} : bounded
    await sql`
      with i as (
        insert into insights (project_id, short_id, name, query)
        values (${project}, substr(md5(${id}), 1, 10), 'Orders by hour',
          ${JSON.stringify(row.query ?? QUERY)}::text::json)
        returning id
      )
      insert into alerts (id, project_id, insight_id, name, condition, threshold, config,
        calculation_interval, subscribed_users, chat, webhook_url, webhook_secret)
      select ${id}, ${project}, i.id, 'Few orders',
        ${JSON.stringify(row.condition ?? { type: 'absolute_value' })}::text::json,
        ${JSON.stringify(threshold)}::text::json,
        ${JSON.stringify(row.config ?? {})}::text::json, ${row.interval ?? 'hourly'},
        ${[String(user?.id ?? 0)]}::text[]::integer[], true, ${row.webhookUrl ?? null},
        ${WEBHOOK_SECRET}
      from i`
    return id
  }
  return {
    sql,
    url,
    project,
    make,
    /** So many orders in an hour so many hours ago; 0 is the one that runs. */
    order: async (hoursAgo: number, count: number, properties: object = {}) => {
      const timestamp = new Date(Date.parse(NOW) - 1 - hoursAgo * HOUR_MS).toISOString()
      const event = { event: 'order', timestamp, properties }
      await putEvents(sql, project, Array(count).fill(event))
    },
    /** As if its next interval had ended. */
    makeDue: async () => {
      await sql`update alerts set next_check_at = now(), leased_until = null`
    },
    state: async (id: string) => {
      const [row] = await sql<{ state: string; value: number | null; told: boolean }[]>`
        select state, last_value as value, is_told as told from alerts where id = ${id}`
      return row
    },
    checks: async (id: string) =>
      await sql<{ state: string; value: number | null; detail: string; told: boolean }[]>`
        select state, value, detail, is_told as told from alert_checks where alert_id = ${id}
        order by checked_at, due_at`,
    /** Takes away the messages that were written. */
    told: async () => {
      const mails = await sql<{ text: string }[]>`
        with gone as (delete from mail_outbox returning *)
        select recipient || ': ' || subject as text from gone order by created_at, id`
      const chats = await sql<{ text: string }[]>`
        with gone as (delete from chat_outbox returning *)
        select body as text from gone order by created_at, id`
      const hooks = await sql<{ text: string }[]>`
        with gone as (delete from alert_webhooks returning *)
        select body as text from gone order by created_at, id`
      const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text)
      return { mails: texts(mails), chats: texts(chats), hooks: texts(hooks) }
    },
  }
}
