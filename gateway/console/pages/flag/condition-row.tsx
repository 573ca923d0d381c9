import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { PropertyFields } from './property-fields.tsx'
import { conditionText, type Names } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type ConditionRowProps = {
  readonly condition: JsonRecord
  readonly names: Names
  /** Number of the set, from 1. */
  readonly set: number
  readonly onChange: (condition: JsonRecord) => void
  readonly onRemove: () => void
}

/** A condition on a property in fields; one on a cohort or a flag in words. */
export function ConditionRow({ condition, names, set, onChange, onRemove }: ConditionRowProps) {
  const { type } = condition
  const remove = (
    <Button
      tone="quiet"
      icon="close"
      aria-label={`${TEXTS.remove} ${conditionText(condition, names)}`}
      onClick={onRemove}
    />
  )
  if (type === 'cohort' || type === 'flag') {
    return (
      <li class="flag-condition flag-condition-words">
        <span>{conditionText(condition, names)}</span>
        {remove}
      </li>
    )
  }
  return (
    <li class="flag-condition">
      <PropertyFields condition={condition} of={`of set ${set}`} onChange={onChange} />
      {remove}
    </li>
  )
}
