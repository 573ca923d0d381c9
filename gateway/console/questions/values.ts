/** Words for values of a breakdown. */
import { labelOf } from '../kit/names/label.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

const VALUES: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_null_$$: TEXTS.none,
  $$_posthog_breakdown_other_$$: TEXTS.others,
}

/** @param label name of the cohort that the value is the id of. */
export function valueName(value: string | number, label = labelOf(String(value))): string {
  return VALUES[String(value)] ?? label
}
