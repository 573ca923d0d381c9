/** Fields of alerts that are refused, for the cases of alerts. */
import { type Expectation, invalidField } from './case.ts'

export function threshold(bounds: object, type = 'absolute') {
  return { configuration: { type, bounds } }
}

export const VALUE = { type: 'absolute_value' }
export const BELOW = threshold({ lower: 10 })

export const NO_INSIGHT = invalidField('does_not_exist', 'insight')
/** As bodies of a create and of an update. */
export const REFUSED_ALERTS: readonly (readonly [string, object, Expectation])[] = [
  ['a name that is too long', { name: 'x'.repeat(256) }, invalidField('max_length', 'name')],
  ['an insight that is no id', { insight: 'x' }, invalidField('incorrect_type', 'insight')],
  ['an insight that nobody has', { insight: 2_000_000_000 }, NO_INSIGHT],
  ['a funnel', { insight: '{funnel}' }, invalidField('invalid_input', 'insight')],
  [
    'an unknown condition',
    { condition: { type: 'x' } },
    invalidField('invalid_input', 'condition__type'),
  ],
  ['a condition that is null', { condition: null }, invalidField('null', 'condition')],
  [
    'a member of none',
    { condition: { ...VALUE, x: 1 } },
    invalidField('invalid_input', 'condition__x'),
  ],
  [
    'no configuration',
    { threshold: {} },
    invalidField('invalid_input', 'threshold__configuration'),
  ],
  [
    'no bounds',
    { threshold: threshold({}) },
    invalidField('invalid_input', 'threshold__configuration__bounds'),
  ],
  [
    'a bound that is text',
    { threshold: threshold({ upper: '9' }) },
    invalidField('invalid_input', 'threshold__configuration__bounds__upper'),
  ],
  [
    'bounds that nothing is within',
    { threshold: threshold({ lower: 9, upper: 1 }) },
    invalidField('invalid_input', 'threshold__configuration__bounds__lower'),
  ],
  [
    'a share of a value',
    { threshold: threshold({ lower: 9 }, 'percentage') },
    invalidField('invalid_input', 'threshold__configuration__type'),
  ],
  [
    'a lower bound while the interval runs',
    { config: { check_ongoing_interval: true } },
    invalidField('invalid_input', 'config__check_ongoing_interval'),
  ],
  [
    'a series that the insight has not',
    { config: { series_index: 1 } },
    invalidField('invalid_input', 'config__series_index'),
  ],
  [
    'a place that is none',
    { config: { series_index: -1 } },
    invalidField('invalid_input', 'config__series_index'),
  ],
  ['another config', { config: { type: 'x' } }, invalidField('invalid_input', 'config__type')],
  [
    'an unknown interval',
    { calculation_interval: 'yearly' },
    invalidField('invalid_choice', 'calculation_interval'),
  ],
  ['a mute until never', { snoozed_until: 'soon' }, invalidField('invalid_input', 'snoozed_until')],
  [
    'users that are no list',
    { subscribed_users: 'all' },
    invalidField('not_a_list', 'subscribed_users'),
  ],
  [
    'a user that is no id',
    { subscribed_users: [{}] },
    invalidField('incorrect_type', 'subscribed_users'),
  ],
  [
    'a user of another organization',
    { subscribed_users: ['{outsider_id}'] },
    invalidField('does_not_exist', 'subscribed_users'),
  ],
  ['a webhook that is no URL', { webhook_url: 'x' }, invalidField('invalid_input', 'webhook_url')],
  [
    'a webhook that is no http',
    { webhook_url: 'ftp://example.com' },
    invalidField('invalid_input', 'webhook_url'),
  ],
  [
    'a webhook with a password',
    { webhook_url: 'https://a:b@example.com' },
    invalidField('invalid_input', 'webhook_url'),
  ],
]

export const UNUSUAL = { condition: { type: 'anomaly' }, threshold: {} }
export const REFUSED_ANOMALIES: readonly (readonly [string, object, Expectation])[] = [
  [
    'an unknown sensitivity',
    { condition: { type: 'anomaly', sensitivity: 'x' } },
    invalidField('invalid_input', 'condition__sensitivity'),
  ],
  [
    'a sensitivity of another condition',
    { condition: { ...VALUE, sensitivity: 'low' } },
    invalidField('invalid_input', 'condition__sensitivity'),
  ],
  ['bounds of an anomaly', { threshold: BELOW }, invalidField('invalid_input', 'threshold')],
  [
    'an anomaly of the interval that runs',
    { config: { check_ongoing_interval: true } },
    invalidField('invalid_input', 'config__check_ongoing_interval'),
  ],
  [
    'an anomaly of values of a breakdown',
    { insight: '{by_city}' },
    invalidField('invalid_input', 'condition__type'),
  ],
  [
    'an anomaly of months',
    { insight: '{by_month}' },
    invalidField('invalid_input', 'condition__type'),
  ],
]
