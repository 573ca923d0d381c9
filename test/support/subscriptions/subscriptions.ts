/** Subscriptions in a database of their own, with the worker's turns at them. */
import type { Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { systemClock } from '../../../src/core/clock.ts'
import { NO_FAILPOINTS } from '../../../src/core/failpoint.ts'
import { silentLog } from '../../../src/core/log.ts'
import { withoutReplica } from '../../../src/event-store/clickhouse/replica/without-replica.ts'
import { createOutboxSender } from '../../../src/mail/outbox-sender.ts'
import { createSmtpMailer } from '../../../src/mail/smtp-mailer.ts'
import { createPngRenderer } from '../../../src/manage/export/png.ts'
import {
  createSubscriptionSends,
  type SubscriptionSendsDeps,
} from '../../../src/manage/subscriptions/subscription-sends.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { putEvents } from '../ingest/events.ts'
import { createProject } from '../ingest/ingest-store.ts'
import { testDatabase } from '../servers/database.ts'

/** A Wednesday. */
const NOW = '2026-11-25T12:30:00Z'
const SITE = 'https://sluice.example.com'

/** Turns as a worker takes them, at one moment. */
export function sendsOver(sql: Sql, deps: Partial<SubscriptionSendsDeps> = {}) {
  return createSubscriptionSends({
    sql,
    scans: sql,
    columnar: withoutReplica(),
    clock: { ...systemClock, now: () => Date.parse(NOW) },
    log: silentLog,
    failpoints: NO_FAILPOINTS,
    sendsMail: true,
    siteUrl: () => SITE,
    renderPng: createPngRenderer(),
    onSent: () => undefined,
    ...deps,
  })
}

export function outboxOver(db: Sql, smtpUrl: string) {
  return createOutboxSender({
    db,
    mailer: createSmtpMailer({ clock: systemClock }, { smtpUrl, from: 'sluice@example.com' }),
    log: silentLog,
    onOutcome: () => undefined,
  })
}

type SubscriptionRow = {
  readonly kind?: 'insight' | 'dashboard' | 'summary'
  readonly insight?: number
  readonly dashboard?: number
  readonly emails?: readonly string[]
  readonly chat?: boolean
  readonly title?: string
}

const QUERY = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'order' }],
}

/** A project with a chat and one insight. */
export async function subscriptionSite(t: Test) {
  const { sql, url } = await testDatabase(t, { connectionsMax: 6 })
  const project = await createProject(sql)
  await sql`update projects set name = 'Shop', timezone = 'Europe/Berlin',
    chat_incoming_webhook = 'https://chat.example.com' where id = ${project}`
  const insight = async (name: string, query: object = QUERY) => {
    const [row] = await sql<{ id: number }[]>`
      insert into insights (project_id, short_id, name, query)
      values (${project}, substr(md5(${name}), 1, 10), ${name},
        ${JSON.stringify(query)}::text::json)
      returning id`
    return row?.id ?? 0
  }
  return {
    sql,
    url,
    project,
    insight,
    dashboard: async (name: string, insights: readonly number[], filters: object = {}) => {
      const [row] = await sql<{ id: number }[]>`
        insert into dashboards (project_id, name, filters)
        values (${project}, ${name}, ${JSON.stringify(filters)}::text::json) returning id`
      for (const [place, id] of insights.entries()) {
        await sql`insert into dashboard_tiles (dashboard_id, place, insight_id, layouts)
          values (${row?.id ?? 0}, ${place}, ${id}, '{}')`
      }
      return row?.id ?? 0
    },
    /** One that is due. */
    make: async ({ kind = 'insight', emails = ['ann@example.com'], ...row }: SubscriptionRow) => {
      const id = uuidv7()
      await sql`
        insert into subscriptions (id, project_id, kind, insight_id, dashboard_id, title, chat,
          next_send_at)
        values (${id}, ${project}, ${kind}, ${row.insight ?? null}, ${row.dashboard ?? null},
          ${row.title ?? ''}, ${row.chat ?? true}, now())`
      for (const email of emails) {
        await sql`insert into subscription_recipients (subscription_id, email)
          values (${id}, ${email})`
      }
      return id
    },
    order: async (count: number, timestamp = '2026-11-24T10:00:00Z') =>
      await putEvents(sql, project, Array(count).fill({ event: 'order', timestamp })),
    put: async (...events: Parameters<typeof putEvents>[2]) =>
      await putEvents(sql, project, events),
    makeDue: async () => {
      await sql`update subscriptions set next_send_at = now(), leased_until = null`
    },
    state: async (id: string) => {
      const [row] = await sql<{ next: string; enabled: boolean; reason: string | null }[]>`
        select to_char(next_send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as next, enabled,
          disabled_reason as reason
        from subscriptions where id = ${id}`
      return row
    },
    recipients: async (id: string) =>
      await sql<{ email: string; state: string; reason: string | null }[]>`
        select email, state, reason from subscription_recipients where subscription_id = ${id}
        order by email`,
    chats: async () => {
      const rows = await sql<{ body: string }[]>`
        with gone as (delete from chat_outbox returning *)
        select body from gone order by created_at, id`
      return rows.map(({ body }) => body)
    },
    count: async (table: string) => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::integer as count from ${sql(table)}`
      return row?.count ?? 0
    },
  }
}

/** The parts of a received mail: headers, text, HTML, and its pictures by their content id. */
export function partsOf(raw: string) {
  const unfolded = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1]
  const bodies = raw.split(/\r\n--[^\r]+/).map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
    return { head, body: decoded(head, part.slice(end + 4)) }
  })
  const of = (type: string) => bodies.filter(({ head }) => head.includes(`Content-Type: ${type}`))
  return {
    header,
    text: of('text/plain')[0]?.body.toString('utf8') ?? '',
    html: of('text/html')[0]?.body.toString('utf8') ?? '',
    pictures: of('image/png').map(({ head, body }) => ({
      id: /Content-Id: <([^>]+)>/i.exec(head)?.[1],
      isInline: /Content-Disposition: inline/i.test(head),
      body,
    })),
  }
}

function decoded(head: string, body: string): Buffer {
  if (/Content-Transfer-Encoding: base64/i.test(head)) return Buffer.from(body, 'base64')
  if (!/quoted-printable/i.test(head)) return Buffer.from(body)
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
