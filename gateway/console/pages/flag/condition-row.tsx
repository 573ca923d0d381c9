import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { textOf, typedValue } from './model.ts'
import { conditionText, type Names } from './sentence.ts'
import { OPERATORS, FLAG_TEXTS as TEXTS } from './texts.ts'

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
      {...{ tone: 'quiet', icon: 'close' }}
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
      <PropertyFields {...{ condition, set, onChange }} />
      {remove}
    </li>
  )
}

type PropertyProps = Pick<ConditionRowProps, 'condition' | 'set' | 'onChange'>

function PropertyFields({ condition, set, onChange }: PropertyProps) {
  const operator = textOf(condition['operator']) || 'exact'
  const takesValue = !/^is_(?:not_)?set$/.test(operator)
  const known = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }))
  const options = operator in OPERATORS ? known : [...known, { value: operator, label: operator }]
  const shared = { labelHidden: true, autocomplete: 'off' } as const
  return (
    <>
      <Field
        {...shared}
        {...{ label: `${TEXTS.property} of set ${set}`, placeholder: TEXTS.property }}
        value={textOf(condition['key'])}
        onInput={(event) => onChange({ ...condition, key: event.currentTarget.value })}
      />
      <Select
        {...{ label: `${TEXTS.operator} of set ${set}`, labelHidden: true, options }}
        value={operator}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value })}
      />
      {takesValue && (
        <Field
          {...shared}
          {...{ label: `${TEXTS.value} of set ${set}`, placeholder: TEXTS.value }}
          defaultValue={textOf(condition['value'])}
          onInput={(event) =>
            onChange({ ...condition, value: typedValue(event.currentTarget.value, operator) })
          }
        />
      )}
    </>
  )
}
