/** Fields of the builder. Text is committed as a whole, so that not every key sends a query. */
import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../kit/field.tsx'
import { Picker } from '../../kit/picker/picker.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'

type TextFieldProps = Omit<ComponentProps<typeof Field>, 'value' | 'onInput' | 'onChange'> & {
  readonly value: string
  readonly onCommit: (text: string) => void
}

export function TextField({ value, onCommit, ...field }: TextFieldProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Field
      autocomplete="off"
      spellcheck={false}
      {...field}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) =>
        event.currentTarget.value !== value && onCommit(event.currentTarget.value)
      }
    />
  )
}

type NumberFieldProps = Omit<TextFieldProps, 'value' | 'onCommit'> & {
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onCommit: (value: number) => void
}

/** Field of a whole number; text that is none, or out of bounds, is not committed. */
export function NumberField({ value, onCommit, min, max, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...field}
      type="number"
      inputmode="numeric"
      value={String(value)}
      min={min}
      max={max}
      onCommit={(text) => {
        const number = Number(text)
        if (Number.isInteger(number) && number >= min && number <= max) onCommit(number)
      }}
    />
  )
}

type EventFieldProps = {
  readonly label: string
  readonly labelHidden?: boolean
  /** Null for all events. */
  readonly value: string | null
  readonly onCommit: (event: string | null) => void
}

/** An event by its name, or all of them. */
export function EventField({ value, onCommit, ...shared }: EventFieldProps) {
  return (
    <Picker
      {...shared}
      value={value ?? ''}
      from={['event']}
      none={TEXTS.allEvents}
      canClear
      onChoose={({ name }) => onCommit(name || null)}
    />
  )
}

type PropertyFieldProps = {
  readonly label: string
  readonly type: 'event' | 'person'
  readonly value: string
  readonly onCommit: (property: string) => void
}

export function PropertyField({ label, type, value, onCommit }: PropertyFieldProps) {
  return (
    <Picker
      label={label}
      value={value}
      from={[`${type}_property`]}
      none={TEXTS.property}
      onChoose={({ name }) => onCommit(name)}
    />
  )
}
