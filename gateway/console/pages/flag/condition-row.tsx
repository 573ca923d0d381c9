import { useState } from 'preact/hooks'
import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { usePropertySample } from '../../kit/filters/suggestions.ts'
import { matches } from '../../kit/picker/choice.ts'
import { Picker } from '../../kit/picker/picker.tsx'
import { ValueInput } from '../../kit/picker/value-input.tsx'
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
  const key = textOf(condition['key'])
  const [text, setText] = useState(textOf(condition['value']))
  const sample = usePropertySample(key !== '' && condition['type'] !== 'group').data?.person ?? []
  const samples = sample.find(({ name }) => name === key)?.samples ?? []
  const offered = samples.filter((value) => value !== text && matches(text, [value]))
  const write = (next: string) => {
    setText(next)
    onChange({ ...condition, value: typedValue(next, operator) })
  }
  return (
    <>
      <Picker
        {...{ label: `${TEXTS.property} of set ${set}`, labelHidden: true, none: TEXTS.property }}
        {...{
          from: condition['type'] === 'group' ? ['group_property'] : ['person_property'],
          value: key,
        }}
        onChoose={({ name }) => onChange({ ...condition, key: name })}
      />
      <Select
        {...{ label: `${TEXTS.operator} of set ${set}`, labelHidden: true, options }}
        value={operator}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value })}
      />
      {takesValue && (
        <ValueInput
          {...{ label: `${TEXTS.value} of set ${set}`, placeholder: TEXTS.value, value: text }}
          {...{ labelHidden: true, options: offered, onChange: write, onChoose: write }}
        />
      )}
    </>
  )
}
