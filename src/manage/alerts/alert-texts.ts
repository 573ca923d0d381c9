/** Words of alerts: mails, messages to chats, bodies for webhooks. */

import { type MailText, oneLine, paragraphs } from '../../mail/mail-templates.ts'
import { plain } from '../chat/chat-templates.ts'
import type { AlertRule, BoundsCondition } from './rules/alert-rule.ts'
import type { Compared } from './rules/judge.ts'

/** Values of a breakdown that a message spells out. */
const NAMED_MAX = 5

export type AlertNews = {
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

export function alertMail(news: AlertNews): MailText {
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

export function alertChat(news: AlertNews): string {
  return `${headline(news, plain)}: ${plain(news.sentence)} ${news.link}`
}

/** JSON text. */
export function alertWebhook(news: AlertNews): string {
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
export function sentenceOf(rule: AlertRule, compared: readonly Compared[]): string {
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
export function keptSentenceOf(rule: AlertRule, compared: readonly Compared[]): string {
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

const VERBS: Readonly<Record<BoundsCondition, string>> = {
  absolute_value: 'is',
  relative_increase: 'increased by',
  relative_decrease: 'decreased by',
}

/** Digits after the point of a number in words. */
const DIGITS_MAX = 2

function numberText(value: number, isShare: boolean): string {
  if (!Number.isFinite(value)) return 'more than any share, from nothing'
  const text = (isShare ? value * 100 : value).toLocaleString('en-US', {
    maximumFractionDigits: DIGITS_MAX,
  })
  return isShare ? `${text} %` : text
}
