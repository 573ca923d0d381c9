import { useId, useState } from 'preact/hooks'
import { useProject } from '../../data/projects.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Select } from '../field.tsx'
import { isBare, OPERATORS, type Operator, type PropertyFilter, takesList } from './filter.ts'
import { usePropertyNames, usePropertyValues } from './suggestions.ts'

type FilterDialogProps = {
  /** Undefined for a new one. */
  readonly filter: PropertyFilter | undefined
  /** The filters make one expression: on the event itself too, and no patterns. */
  readonly asExpression?: boolean
  readonly onSave: (filter: PropertyFilter) => void
  readonly onClose: () => void
}

const TYPES = [
  { value: 'event', label: 'Property of the event' },
  { value: 'person', label: 'Property of the person' },
  { value: 'event_metadata', label: 'Event: its name or distinct id' },
  { value: 'hogql', label: 'Expression' },
] as const
const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }))
const NEW: PropertyFilter = { type: 'event', key: '', operator: 'exact' }
const BETWEEN = /\s*,\s*/

export function FilterDialog({ filter, asExpression = false, onSave, onClose }: FilterDialogProps) {
  const [draft, setDraft] = useState(filter ?? NEW)
  const [text, setText] = useState(textOf(filter?.value))
  const { type, key, operator } = draft
  const needsValue = type !== 'hogql' && !isBare(operator)
  const ofEvent = type === 'event_metadata'
  const types = TYPES.filter(
    ({ value }) => value !== 'event_metadata' || asExpression || filter?.type === value,
  )
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const value = takesList(operator) ? text.split(BETWEEN).filter((part) => part !== '') : text
    onSave({ type, key: key.trim(), operator, ...(needsValue ? { value } : {}) })
  }
  return (
    <Dialog title={filter === undefined ? 'New filter' : 'Change the filter'} onClose={onClose}>
      <form class="form" onSubmit={send}>
        <Select
          {...{ label: 'Of', options: types, value: type }}
          onChange={({ currentTarget: { value } }) =>
            setDraft({ ...draft, type: TYPES.find((each) => each.value === value)?.value ?? type })
          }
        />
        <KeyField draft={draft} onChange={(next) => setDraft({ ...draft, key: next })} />
        {type !== 'hogql' && (
          <Select
            {...{ label: 'Comparison', value: operator }}
            options={CHOICES.filter(
              ({ value }) => !(asExpression || ofEvent) || !value.endsWith('regex'),
            )}
            onChange={({ currentTarget: { value } }) =>
              // The options are the operators.
              setDraft({ ...draft, operator: value as Operator })
            }
          />
        )}
        {needsValue && <ValueField draft={draft} text={text} onChange={setText} />}
        <Button tone="main" type="submit">
          Apply
        </Button>
      </form>
    </Dialog>
  )
}

function textOf(value: PropertyFilter['value']): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ')
}

const LABELS: Readonly<Record<PropertyFilter['type'], string>> = {
  event: 'Property',
  person: 'Property',
  event_metadata: 'event or distinct_id',
  hogql: 'Expression',
}

type KeyFieldProps = {
  readonly draft: PropertyFilter
  readonly onChange: (key: string) => void
}

function KeyField({ draft, onChange }: KeyFieldProps) {
  const { id: project } = useProject()
  const list = useId()
  const names = usePropertyNames(project, draft.type)
  return (
    <>
      <Field
        {...{ label: LABELS[draft.type], list, value: draft.key, required: true, autofocus: true }}
        {...{ autocomplete: 'off', spellcheck: false }}
        onInput={({ currentTarget: { value } }) => onChange(value)}
      />
      <datalist id={list}>
        {names.data?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

type ValueFieldProps = {
  readonly draft: PropertyFilter
  readonly text: string
  readonly onChange: (text: string) => void
}

function ValueField({ draft, text, onChange }: ValueFieldProps) {
  const { id: project } = useProject()
  const list = useId()
  const search = takesList(draft.operator) ? (text.split(BETWEEN).at(-1) ?? '') : text
  const values = usePropertyValues(project, draft, search)
  const before = text.slice(0, text.length - search.length)
  return (
    <>
      <Field
        {...{ label: 'Value', list, value: text, required: true }}
        {...{ autocomplete: 'off', spellcheck: false }}
        hint={takesList(draft.operator) ? 'Several values, with commas between them.' : undefined}
        onInput={({ currentTarget: { value } }) => onChange(value)}
      />
      <datalist id={list}>
        {values.data?.map((value) => (
          <option key={value} value={before + value} />
        ))}
      </datalist>
    </>
  )
}
