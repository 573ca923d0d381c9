/** An alert as its form edits it. */
import type { Alert, JsonObject } from '../../../../client/index.ts'
import { isRecord } from '../../../data/json.ts'
import { memberOf, numberIn, textIn } from '../../../questions/question.ts'

export type Draft = {
  readonly name: string
  readonly condition: string
  /** As they are typed; percentages of changes are in percent. */
  readonly lower: string
  readonly upper: string
  readonly isShare: boolean
  readonly sensitivity: string
  readonly series: number
  readonly isOngoing: boolean
  readonly interval: string
  readonly users: readonly number[]
  readonly chat: boolean
  readonly webhook: string
}

export const NEW_ALERT: Draft = {
  name: '',
  condition: 'absolute_value',
  lower: '',
  upper: '',
  isShare: false,
  sensitivity: 'medium',
  series: 0,
  isOngoing: false,
  interval: 'daily',
  users: [],
  chat: false,
  webhook: '',
}

const PERCENT = 100

export function draftOf(alert: Alert): Draft {
  const condition = recordOf(alert.condition)
  const configuration = memberOf(recordOf(alert.threshold), 'configuration')
  const config = recordOf(alert.config)
  const bounds = memberOf(configuration, 'bounds')
  const isShare = textIn(configuration, 'type') === 'percentage'
  const boundOf = (name: string) => {
    const bound = bounds[name]
    return typeof bound === 'number' ? String(isShare ? bound * PERCENT : bound) : ''
  }
  return {
    name: alert.name,
    condition: textIn(condition, 'type'),
    lower: boundOf('lower'),
    upper: boundOf('upper'),
    isShare,
    sensitivity: textIn(condition, 'sensitivity', 'medium'),
    series: numberIn(config, 'series_index', 0),
    isOngoing: config['check_ongoing_interval'] === true,
    interval: alert.calculation_interval,
    users: alert.subscribed_users.map(({ id }) => id),
    chat: alert.chat,
    webhook: alert.webhook_url ?? '',
  }
}

/** Members of the request; an address that stays is left out, so that its key stays too. */
export function membersOf(draft: Draft, before: Alert | undefined): JsonObject {
  const isAnomaly = draft.condition === 'anomaly'
  const isShare = draft.isShare && draft.condition !== 'absolute_value'
  const bound = (name: string, text: string) => {
    const number = Number(text)
    return text.trim() === '' ? {} : { [name]: isShare ? number / PERCENT : number }
  }
  const bounds = { ...bound('lower', draft.lower), ...bound('upper', draft.upper) }
  const type = isShare ? 'percentage' : 'absolute'
  const webhook = draft.webhook.trim() || null
  const isSame = webhook === (before?.webhook_url ?? null) && before?.webhook_disabled !== true
  return {
    name: draft.name,
    condition: isAnomaly
      ? { type: draft.condition, sensitivity: draft.sensitivity }
      : { type: draft.condition },
    threshold: isAnomaly ? {} : { configuration: { type, bounds } },
    config: {
      type: 'TrendsAlertConfig',
      series_index: draft.series,
      check_ongoing_interval: draft.isOngoing && canBeOngoing(draft),
    },
    calculation_interval: draft.interval,
    subscribed_users: [...draft.users],
    chat: draft.chat,
    ...(isSame ? {} : { webhook_url: webhook }),
  }
}

/** An interval that runs can only be above a bound. */
export function canBeOngoing({ condition, lower }: Draft): boolean {
  const isAbove = condition === 'absolute_value' || condition === 'relative_increase'
  return isAbove && lower.trim() === ''
}

function recordOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {}
}
