/**
 * Sends subscriptions that are due. The messages are written with the end of the turn in one
 * transaction, as those of alerts: a worker that dies leaves the subscription due or the mails
 * written, never both.
 */
import { v7 as uuidv7 } from 'uuid'
import { keyDigest, randomText } from '../../access/keys.ts'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Failpoints } from '../../core/failpoint.ts'
import { isObject, type Json, objectOf, own } from '../../core/json.ts'
import { parseExact } from '../../core/json-text/exact-numbers.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Log } from '../../core/log.ts'
import type { Zone } from '../../core/time/zone.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type AskingProject,
  answerQuestion,
  askingProject,
  calendarOf,
} from '../../query/insights/answer.ts'
import { answerText } from '../../query/insights/answer-text.ts'
import { createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { overridden } from '../../query/insights/override.ts'
import { UNLIMITED } from '../../query/query-limiter.ts'
import { insertChatMessages, projectWithChat } from '../../store/projects/chat-outbox-store.ts'
import { findProject, type StoredProject } from '../../store/projects/project-store.ts'
import { findDashboard, listTiles } from '../../store/saved/dashboard-store.ts'
import { findInsight } from '../../store/saved/saved-insight-store.ts'
import {
  disableSubscription,
  finishSending,
  insertSubscriptionMails,
  type TakenSubscription,
  takeDueSubscriptions,
} from '../../store/subscriptions/subscription-turns.ts'
import { runDueTurns } from '../due-turns.ts'
import { exportAnswer, PICTURE_SIZE } from '../export/export-answer.ts'
import type { RenderPng } from '../export/png.ts'
import { nextSendMs } from './rules/next-send.ts'
import {
  type Report,
  reportBody,
  reportChat,
  reportHtml,
  reportSubject,
  type Section,
} from './subscription-texts.ts'
import { stateSections, summaryQuestions, summarySections } from './summary.ts'

/** Subscriptions that a worker sends at a time. */
const SENDING_MAX = 2
/** Pictures of one mail. */
const PICTURES_MAX = 10
/** Lease of a turn, after which another worker may take the subscription. */
const SENDING_LEASE_MS = 300_000
assert(
  SENDING_LEASE_MS > (PICTURES_MAX + 3) * 2 * EVENT_QUERY_TIMEOUT_MS,
  'a turn ends in its lease',
)

export type SubscriptionSendsDeps = {
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scans: Sql
  readonly columnar: ColumnarInsights
  readonly clock: Clock
  readonly log: Log
  readonly failpoints: Failpoints
  /** Whether mails are sent. */
  readonly sendsMail: boolean
  /** Public URL of the console. */
  readonly siteUrl: () => string
  readonly renderPng: RenderPng
  readonly onSent: () => void
}

export type SubscriptionSends = {
  /** Sends everything that is due. @throws {PostgresError} Safe to retry. */
  sendDue(signal: AbortSignal): Promise<void>
}

export function createSubscriptionSends(deps: SubscriptionSendsDeps): SubscriptionSends {
  const { sql, log } = deps
  return {
    sendDue: (signal) =>
      runDueTurns(
        {
          log,
          failure: 'subscription not sent',
          most: SENDING_MAX,
          take: (count) => takeDueSubscriptions(sql, { count, leaseMs: SENDING_LEASE_MS }),
          run: (taken) => send(deps, taken, signal),
          factsOf: ({ id, projectId }) => ({ subscription: id, project: projectId }),
        },
        signal,
      ),
  }
}

async function send(
  deps: SubscriptionSendsDeps,
  taken: TakenSubscription,
  signal: AbortSignal,
): Promise<void> {
  const { sql, clock, failpoints } = deps
  const project = await findProject(sql, taken.projectId)
  if (project === undefined) return
  const report = await reportOf(deps, taken, project, signal)
  if (report === undefined) {
    await disableSubscription(sql, taken, `The ${taken.kind} was deleted.`)
    return
  }
  // A clock that is behind the database's must not send one time twice.
  const nowMs = Math.max(clock.now(), taken.dueMs)
  const next = nextSendMs(nowMs, taken, calendarOf(askingProject(project)))
  const isWritten = await sql.begin(async (tx) => {
    if (!(await finishSending(tx, taken, next))) return false
    await write(deps, tx, taken, report)
    await failpoints.reach('before-subscription-commit')
    return true
  })
  if (!isWritten) return
  await failpoints.reach('after-subscription-commit')
  deps.onSent()
}

async function write(
  { sendsMail, siteUrl }: SubscriptionSendsDeps,
  tx: Db,
  { id, projectId, chat, emails }: TakenSubscription,
  report: Report,
): Promise<void> {
  if (sendsMail && emails.length > 0) {
    const mails = emails.map((email) => {
      const token = randomText()
      const unsubscribeUrl = `${siteUrl()}/unsubscribe/${token}`
      const body = reportBody(report, unsubscribeUrl)
      return { email, body, unsubscribeUrl, tokenDigest: keyDigest(token) }
    })
    await insertSubscriptionMails(tx, id, {
      contentId: uuidv7(),
      html: reportHtml(report),
      pictures: report.sections.flatMap(({ png }) => (png === undefined ? [] : [png])),
      subject: reportSubject(report),
      mails,
    })
  }
  if (chat && (await projectWithChat(tx, projectId)) !== undefined) {
    await insertChatMessages(tx, [{ projectId, body: reportChat(report) }])
  }
}

/** Undefined when there is nothing to report of any more. */
async function reportOf(
  deps: SubscriptionSendsDeps,
  taken: TakenSubscription,
  project: StoredProject,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const page = `${deps.siteUrl()}/project/${project.id}`
  const zone = calendarOf(askingProject(project))
  const common = { project: project.name, day: dayOf(deps.clock.now(), zone) }
  if (taken.kind === 'summary') {
    const sections = await summaryOf(deps, project, zone, page, signal)
    const title = taken.title || `Weekly summary of ${project.name}`
    return { ...common, title, link: `${page}/web`, sections, more: 0 }
  }
  const asked = await (taken.kind === 'insight' ? insightOf : dashboardOf)(deps.sql, taken)
  if (asked === undefined) return undefined
  const sections: Section[] = []
  for (const each of asked.insights.slice(0, PICTURES_MAX)) {
    sections.push(await sectionOf(deps, askingProject(project), each, page, signal))
  }
  const more = asked.insights.length - sections.length
  const title = taken.title || asked.name
  return { ...common, title, link: `${page}${asked.path}`, sections, more }
}

type Asked = { readonly name: string; readonly path: string; readonly insights: readonly Insight[] }
type Insight = { readonly name: string; readonly shortId: string; readonly query: Json }

async function insightOf(
  db: Db,
  { projectId, insightId }: TakenSubscription,
): Promise<Asked | undefined> {
  if (insightId === null) return undefined
  const found = await findInsight(db, projectId, { kind: 'id', id: insightId })
  if (found === undefined || found.deleted) return undefined
  const { shortId, query } = found
  const name = found.name || shortId
  return { name, path: `/insights/${shortId}`, insights: [{ name, shortId, query }] }
}

async function dashboardOf(
  db: Db,
  { projectId, dashboardId }: TakenSubscription,
): Promise<Asked | undefined> {
  if (dashboardId === null) return undefined
  const found = await findDashboard(db, projectId, dashboardId)
  if (found === undefined || found.deleted) return undefined
  const filters = objectOf(found.filters)
  const insights = (await listTiles(db, found.id)).flatMap(({ shortId, name, query }) =>
    shortId === null ? [] : [{ name: name || shortId, shortId, query: overridden(query, filters) }],
  )
  const name = found.name || `Dashboard ${found.id}`
  return { name, path: `/dashboard/${found.id}`, insights }
}

async function sectionOf(
  deps: SubscriptionSendsDeps,
  asking: AskingProject,
  { name, shortId, query }: Insight,
  page: string,
  signal: AbortSignal,
): Promise<Section> {
  const link = `${page}/insights/${shortId}`
  const answer = await answerQuestion(readingOf(deps), asking, query, { path: '' }, signal)
  if (!answer.ok) return { name, link, lines: [answer.error.detail], png: undefined }
  const { content } = await exportAnswer(
    { name, question: query, answer: answer.value },
    { format: 'png', size: PICTURE_SIZE, theme: 'light', cells: 'guarded' },
    deps.renderPng,
    signal,
  )
  return { name, link, lines: [], png: content }
}

async function summaryOf(
  deps: SubscriptionSendsDeps,
  project: StoredProject,
  zone: Zone,
  page: string,
  signal: AbortSignal,
): Promise<readonly Section[]> {
  const nowMs = deps.clock.now()
  const answers: { results: Json; problem: string | undefined }[] = []
  for (const question of summaryQuestions(nowMs, zone)) {
    const asking = askingProject(project)
    const answer = await answerQuestion(readingOf(deps), asking, question, { path: '' }, signal)
    const read = answer.ok ? parseExact(answerText(answer.value)) : null
    const results = isObject(read) ? (own(read, 'results') ?? null) : null
    answers.push({ results, problem: answer.ok ? undefined : answer.error.detail })
  }
  return [
    ...summarySections(answers, `${page}/web`),
    ...(await stateSections(deps.sql, project.id, nowMs, page)),
  ]
}

function readingOf({ sql, scans, columnar, clock, log }: SubscriptionSendsDeps) {
  return { sql: scans, scans: UNLIMITED, columnar, clock, cache: createAnswerCache(sql, log) }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2 Mar 2026`, on the clock of the project. */
function dayOf(nowMs: number, zone: Zone): string {
  const wall = new Date(zone.wallAt(nowMs))
  return `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`
}
