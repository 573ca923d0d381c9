/**
 * Checks alerts that are due. A check is written with its messages in one transaction, by the turn
 * that holds the lease: a worker that dies leaves the alert due, and nobody is told twice.
 */
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Failpoints } from '../../core/failpoint.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Log } from '../../core/log.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ColumnarInsights } from '../../event-store/columnar-insights.ts'
import { type MailText, oneLine, paragraphs } from '../../mail/mail-templates.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { answerQuestion, askingProject, calendarOf } from '../../query/insights/answer.ts'
import { createAnswerCache } from '../../query/insights/cache/answer-cache.ts'
import { UNLIMITED } from '../../query/query-limiter.ts'
import {
  type CheckOutcome,
  disableTaken,
  finishCheck,
  insertAlertMails,
  type TakenAlert,
  takeDueAlerts,
} from '../../store/alerts/alert-turns.ts'
import { insertWebhook } from '../../store/alerts/alert-webhooks.ts'
import { insertChatMessages, projectWithChat } from '../../store/projects/chat-outbox-store.ts'
import { findProject, type StoredProject } from '../../store/projects/project-store.ts'
import { plain } from '../chat/chat-templates.ts'
import { runDueTurns } from '../due-turns.ts'
import { askedQuestions, joined, numbersIn, readAlertQuestion } from './rules/alert-question.ts'
import { type AlertRule, type BoundsCondition, readRule } from './rules/alert-rule.ts'
import { nextCheckMs } from './rules/intervals.ts'
import { type Compared, type Judgement, judge, type Numbers } from './rules/judge.ts'

/** Values of a breakdown that a message spells out. */
const NAMED_MAX = 5

const VERBS: Readonly<Record<BoundsCondition, string>> = {
  absolute_value: 'is',
  relative_increase: 'increased by',
  relative_decrease: 'decreased by',
}

/** Digits after the point of a number in words. */
const DIGITS_MAX = 2

/** Alerts that a worker checks at a time; their questions share its connections for queries. */
const ALERTS_CHECKED_MAX = 2
/** Lease of a check, after which another worker may take the alert. */
const ALERT_LEASE_MS = 60_000
assert(ALERT_LEASE_MS > 3 * EVENT_QUERY_TIMEOUT_MS, 'a check ends within its lease')

export type AlertChecksDeps = {
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
  readonly onChecked: () => void
}

export type AlertChecks = {
  /**
   * Checks every alert that is due, a few at a time. One that fails for a reason of the store is
   * due again when its lease has ended.
   * @throws {PostgresError} when alerts cannot be taken. Safe to retry.
   */
  checkDue(signal: AbortSignal): Promise<void>
}

export function createAlertChecks(deps: AlertChecksDeps): AlertChecks {
  const { sql, log } = deps
  return {
    checkDue: (signal) =>
      runDueTurns(
        {
          log,
          failure: 'alert not checked',
          most: ALERTS_CHECKED_MAX,
          take: (count) => takeDueAlerts(sql, { count, leaseMs: ALERT_LEASE_MS }),
          run: (alert) => check(deps, alert, signal),
          factsOf: ({ id, projectId }) => ({ alert: id, project: projectId }),
        },
        signal,
      ),
  }
}

/** Judgement of a check, with its words: those that are told, and those that are kept. */
type Judged = Judgement & { readonly sentence: string; readonly keptSentence: string }

async function check(deps: AlertChecksDeps, alert: TakenAlert, signal: AbortSignal): Promise<void> {
  const { sql, clock } = deps
  const { insight } = alert
  if (insight === null || insight.deleted) {
    await disableTaken(sql, alert)
    return
  }
  const project = await findProject(sql, alert.projectId)
  if (project === undefined) return
  const judged = await judgeInsight(deps, alert, insight.query, project, signal)
  // A clock that is behind the database's must not check one interval twice.
  const nowMs = Math.max(clock.now(), alert.dueMs)
  const zone = calendarOf(askingProject(project))
  const outcome = outcomeOf(alert, judged, nextCheckMs(nowMs, alert.calculationInterval, zone))
  const isWritten = await sql.begin(async (tx) => {
    if (!(await finishCheck(tx, alert, outcome))) return false
    if (outcome.isNews) {
      await tell(deps, tx, alert, {
        alertId: alert.id,
        alert: alert.name,
        insight: insight.name || insight.shortId,
        project: project.name,
        isFiring: outcome.state === 'Firing',
        sentence: judged.ok ? judged.value.sentence : judged.error,
        value: outcome.value,
        link: `${deps.siteUrl()}/project/${project.id}/insights/${insight.shortId}`,
        checkedAt: new Date(clock.now()).toISOString(),
      })
    }
    await deps.failpoints.reach('before-alert-commit')
    return true
  })
  if (!isWritten) return
  await deps.failpoints.reach('after-alert-commit')
  deps.onChecked()
}

/** The judgement, or in words why there is none. */
async function judgeInsight(
  { scans, columnar, clock, sql, log }: AlertChecksDeps,
  alert: TakenAlert,
  query: Parameters<typeof readAlertQuestion>[0],
  project: StoredProject,
  signal: AbortSignal,
): Promise<Result<Judged, string>> {
  const rule = readRule(alert)
  if (!rule.ok) return err(rule.error.detail)
  const question = readAlertQuestion(query, rule.value)
  if (!question.ok) return err(question.error.detail)
  const asking = askingProject(project)
  const asked = askedQuestions(question.value, rule.value, calendarOf(asking), clock.now())
  const reading = {
    sql: scans,
    scans: UNLIMITED,
    columnar,
    clock,
    cache: createAnswerCache(sql, log),
  }
  const parts: (readonly Numbers[])[] = []
  for (const each of asked) {
    const answer = await answerQuestion(reading, asking, each, { path: '' }, signal)
    if (!answer.ok) return err(answer.error.detail)
    parts.push(numbersIn(answer.value['results'], question.value, rule.value))
  }
  return ok(judgedOf(rule.value, joined(parts)))
}

function judgedOf(rule: AlertRule, numbers: readonly Numbers[]): Judged {
  const judgement = judge(rule, numbers)
  const { outside, compared } = judgement
  const shown = outside.length > 0 ? outside : compared
  const keptSentence = keptSentenceOf(rule, shown)
  return { ...judgement, sentence: sentenceOf(rule, shown), keptSentence }
}

function outcomeOf(
  { isTold, isMuted }: TakenAlert,
  judged: Result<Judged, string>,
  nextMs: number,
): CheckOutcome {
  if (!judged.ok) {
    const error = { value: null, detail: judged.error, isTold, isNews: false }
    return { ...error, state: 'Errored', nextCheckMs: nextMs }
  }
  const { outside, value, keptSentence } = judged.value
  const isFiring = outside.length > 0
  // While it is muted nobody is told; what holds at the end of the mute is told then.
  const isNews = !isMuted && isFiring !== isTold
  return {
    state: isFiring ? 'Firing' : 'Not firing',
    value: value !== null && Number.isFinite(value) ? value : null,
    detail: keptSentence,
    isTold: isNews ? isFiring : isTold,
    isNews,
    nextCheckMs: nextMs,
  }
}

async function tell(
  { sendsMail }: AlertChecksDeps,
  tx: Db,
  alert: TakenAlert,
  news: AlertNews,
): Promise<void> {
  if (sendsMail) await insertAlertMails(tx, alert, alertMail(news))
  const { projectId } = alert
  if (alert.chat && (await projectWithChat(tx, projectId)) !== undefined) {
    await insertChatMessages(tx, [{ projectId, body: alertChat(news) }])
  }
  if (alert.webhookUrl !== null && !alert.isWebhookDisabled) {
    await insertWebhook(tx, alert.id, alertWebhook(news))
  }
}

/** Words of alerts: mails, messages to chats, bodies for webhooks. */
type AlertNews = {
  readonly alertId: string
  readonly alert: string
  readonly insight: string
  readonly project: string
  readonly isFiring: boolean
  /** A sentence about the numbers: see `sentenceOf`. */
  readonly sentence: string
  readonly value: number | null
  /** Page of the insight. */
  readonly link: string
  readonly checkedAt: string
}

function alertMail(news: AlertNews): MailText {
  const { sentence, link } = news
  return {
    subject: headline(news, oneLine),
    body: paragraphs([
      `${headline(news, oneLine)}.`,
      oneLine(sentence),
      `The insight ${oneLine(news.insight)} of the project ${oneLine(news.project)}:\n${link}`,
      'Members of the project can mute the alert, or take you off its list, beside the insight.',
    ]),
  }
}

function alertChat(news: AlertNews): string {
  return `${headline(news, plain)}: ${plain(news.sentence)} ${news.link}`
}

/** JSON text. */
function alertWebhook(news: AlertNews): string {
  const { alertId, alert, insight, project, isFiring, sentence, value, link, checkedAt } = news
  return JSON.stringify({
    type: isFiring ? 'alert.firing' : 'alert.recovered',
    timestamp: checkedAt,
    data: { alert: { id: alertId, name: alert }, insight, project, value, detail: sentence, link },
  })
}

function headline({ alert, insight, isFiring }: AlertNews, clean: (text: string) => string) {
  const name = clean(alert) || clean(insight)
  return isFiring ? `Alert: ${name} fires` : `Recovered: ${name}`
}

/** The compared numbers beside the bounds: `Orders (Berlin) is 12, below 20.` */
function sentenceOf(rule: AlertRule, compared: readonly Compared[]): string {
  const named = compared
    .slice(0, NAMED_MAX)
    .map((each) => `${nameOf(each)} ${comparedText(rule, each)}`)
  const more = compared.length - named.length
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}

/**
 * As `sentenceOf`, without values of a breakdown: they may be data of persons, and checks are kept
 * for long.
 */
function keptSentenceOf(rule: AlertRule, compared: readonly Compared[]): string {
  const [first] = compared
  if (first === undefined) return 'There are not enough intervals to compare yet.'
  const more = compared.length - 1
  const named = `${first.label} ${comparedText(rule, first)}`
  return `${named}${more > 0 ? `; and ${more} more values of the breakdown` : ''}.`
}

function nameOf({ label, breakdown }: Compared): string {
  return breakdown === undefined ? label : `${label} (${breakdown || 'none'})`
}

function comparedText(rule: AlertRule, { value, usual }: Compared): string {
  if (rule.condition === 'anomaly') {
    const { low = 0, high = 0 } = usual ?? {}
    const range = `${numberText(Math.max(0, low), false)} to ${numberText(high, false)}`
    return `is ${numberText(value, false)}, usually ${range}`
  }
  const { lower, upper, condition } = rule
  const number = (of: number) => numberText(of, rule.isShare)
  const bound =
    lower !== undefined && value < lower
      ? `, below ${number(lower)}`
      : upper !== undefined && value > upper
        ? `, above ${number(upper)}`
        : ''
  return `${VERBS[condition]} ${number(value)}${bound}`
}

function numberText(value: number, isShare: boolean): string {
  if (!Number.isFinite(value)) return 'more than any share, from nothing'
  const text = (isShare ? value * 100 : value).toLocaleString('en-US', {
    maximumFractionDigits: DIGITS_MAX,
  })
  return isShare ? `${text} %` : text
}
