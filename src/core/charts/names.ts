/** Names of series and of values of a breakdown. */
import { labelOf } from './label.ts'

const VALUES: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_null_$$: 'None',
  $$_posthog_breakdown_other_$$: 'Other',
}

/** @param label name of the cohort or country that the value stands for. */
export function valueName(value: string | number, label = labelOf(String(value))): string {
  return VALUES[String(value)] ?? label
}

/** Statuses of actors in a life cycle. */
export const STATUS_NAMES: Readonly<Record<string, string>> = {
  new: 'New',
  returning: 'Returning',
  resurrecting: 'Resurrecting',
  dormant: 'Dormant',
}
