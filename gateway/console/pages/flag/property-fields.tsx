import { useState } from 'preact/hooks'
import type { Json } from '../../../client/index.ts'
import type { JsonRecord } from '../../data/json.ts'
import { Select } from '../../kit/field.tsx'
import { matches } from '../../kit/picker/choice.ts'
import { Picker } from '../../kit/picker/picker.tsx'
import { usePropertySample } from '../../kit/picker/suggestions.ts'
import { ValueInput } from '../../kit/picker/value-input.tsx'
import { textOf, typedValue } from './model.ts'
import { OPERATORS, FLAG_TEXTS as TEXTS } from './texts.ts'

type PropertyFieldsProps = {
  readonly condition: JsonRecord
  /** Suffix of the fields' names: "of set 2". */
  readonly of: string
  readonly onChange: (condition: JsonRecord) => void
}

/** A condition on a property of a person or group: the property, its comparison and the value. */
export function PropertyFields({ condition, of, onChange }: PropertyFieldsProps) {
  const operator = textOf(condition['operator']) || 'exact'
  const takesValue = !/^is_(?:not_)?set$/.test(operator)
  const known = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }))
  const options = operator in OPERATORS ? known : [...known, { value: operator, label: operator }]
  const key = textOf(condition['key'])
  const ofGroup = condition['type'] === 'group'
  return (
    <>
      <Picker
        label={`${TEXTS.property} ${of}`}
        labelHidden
        none={TEXTS.property}
        from={[ofGroup ? 'group_property' : 'person_property']}
        value={key}
        onChoose={({ name }) => onChange({ ...condition, key: name })}
      />
      <Select
        label={`${TEXTS.operator} ${of}`}
        labelHidden
        options={options}
        value={operator}
        onChange={({ currentTarget: { value: next } }) =>
          onChange({
            ...condition,
            operator: next,
            value: typedValue(textOf(condition['value']), next),
          })
        }
      />
      {takesValue && (
        <ValueField
          label={`${TEXTS.value} ${of}`}
          operator={operator}
          value={condition['value'] ?? ''}
          property={ofGroup ? '' : key}
          onChange={(value) => onChange({ ...condition, value })}
        />
      )}
    </>
  )
}

type ValueProps = {
  readonly label: string
  readonly operator: string
  /** Person property whose values are offered; empty for none. */
  readonly property: string
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** Text of a value. It stays as it is typed, such as with a comma at its end. */
function ValueField({ label, operator, property, value, onChange }: ValueProps) {
  const [typed, setTyped] = useState(textOf(value))
  const isOwn = JSON.stringify(typedValue(typed, operator)) === JSON.stringify(value)
  const text = isOwn ? typed : textOf(value)
  const sample = usePropertySample(property !== '').data?.person ?? []
  const samples = sample.find(({ name }) => name === property)?.samples ?? []
  const write = (next: string) => {
    setTyped(next)
    onChange(typedValue(next, operator))
  }
  return (
    <ValueInput
      label={label}
      labelHidden
      placeholder={TEXTS.value}
      value={text}
      options={samples.filter((each) => each !== text && matches(text, [each]))}
      onChange={write}
      onChoose={write}
    />
  )
}
