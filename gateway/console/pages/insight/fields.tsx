/** Fields of the builder. A text is taken when it is finished, so that a letter asks no question. */
import type { ComponentProps } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { listEventDefinitions } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Field } from '../../kit/field.tsx'
import { usePropertyNames } from '../../kit/filters/suggestions.ts'
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

/** A whole number; what is none, or out of bounds, stays in the field and is not asked. */
export function NumberField({ value, onCommit, min, max, ...field }: NumberFieldProps) {
  return (
    <TextField
      {...{ ...field, type: 'number', inputmode: 'numeric', value: String(value), min, max }}
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

const NAMES_MAX = 200

/** An event by its name, with those that the project has; empty for all. */
export function EventField({ label, labelHidden = false, value, onCommit }: EventFieldProps) {
  const { id: project } = useProject()
  const list = useId()
  const names = useResource(`event-names ${project}`, (signal) =>
    listEventDefinitions(client, { project_id: project, limit: NAMES_MAX }, { signal }),
  )
  return (
    <>
      <TextField
        {...{ label, labelHidden, list, value: value ?? '', placeholder: TEXTS.allEvents }}
        onCommit={(text) => onCommit(text.trim() === '' ? null : text)}
      />
      <datalist id={list}>
        {names.data?.results.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

type PropertyFieldProps = {
  readonly label: string
  readonly type: 'event' | 'person'
  readonly value: string
  readonly onCommit: (property: string) => void
}

export function PropertyField({ label, type, value, onCommit }: PropertyFieldProps) {
  const { id: project } = useProject()
  const list = useId()
  const names = usePropertyNames(project, type)
  return (
    <>
      <TextField {...{ label, list, value, onCommit }} />
      <datalist id={list}>
        {names.data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
