/** Words for values of a breakdown. */
import { RESULT_TEXTS as TEXTS } from './texts.ts'

const VALUES: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_null_$$: TEXTS.none,
  $$_posthog_breakdown_other_$$: TEXTS.others,
}

/** Only cohorts are numbers: their ids. */
export function valueName(value: string | number): string {
  if (typeof value === 'number') return `Cohort ${value}`
  return VALUES[String(value)] ?? String(value)
}
