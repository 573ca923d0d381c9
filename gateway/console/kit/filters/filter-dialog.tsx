import { useState } from 'preact/hooks'
import { nameOfCohort, useCohortNames } from '../../data/cohorts.ts'
import { failureOf } from '../../data/failure.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Select } from '../field.tsx'
import { matches, type Source } from '../picker/choice.ts'
import { Picker } from '../picker/picker.tsx'
import { usePropertySample, usePropertyValues } from '../picker/suggestions.ts'
import { useSettled } from '../picker/use-settled.ts'
import { ValueInput } from '../picker/value-input.tsx'
import { EXPRESSED } from './expression.ts'
import { type FilterUse, isBare, type PropertyFilter, takesList, wordsOf } from './filter.ts'

type FilterDialogProps = {
  /** Undefined for a new one. */
  readonly filter: PropertyFilter | undefined
  readonly of: FilterUse
  readonly onSave: (filter: PropertyFilter) => void
  readonly onClose: () => void
}

const TYPES = [
  { value: 'event', label: 'Event property' },
  { value: 'person', label: 'Person property' },
  { value: 'session', label: 'Session property' },
  { value: 'cohort', label: 'Cohort' },
  { value: 'event_metadata', label: 'Event name or distinct id' },
  { value: 'hogql', label: 'Expression' },
] as const
const LEFT_OUT: Readonly<Record<FilterUse, readonly string[]>> = {
  questions: ['event_metadata'],
  events: ['session'],
  persons: ['event', 'session', 'event_metadata', 'hogql'],
}
const SOURCES: Readonly<Partial<Record<PropertyFilter['type'], readonly Source[]>>> = {
  event: ['event_property', 'person_property'],
  person: ['person_property', 'event_property'],
  event_metadata: ['metadata'],
}
const TYPE_OF: Readonly<Partial<Record<Source, PropertyFilter['type']>>> = {
  event_property: 'event',
  person_property: 'person',
}
const OPERATORS =
  'exact is_not icontains not_icontains starts_with not_starts_with ends_with not_ends_with ' +
  'regex not_regex gt gte lt lte between not_between is_set is_not_set ' +
  'is_date_exact is_date_before is_date_after ' +
  'semver_eq semver_neq semver_gt semver_gte semver_lt semver_lte semver_tilde semver_caret semver_wildcard'

/** Options of a select. @param current is added where it is none of them. */
function comparisons(current = 'exact') {
  const names = new Set([...OPERATORS.split(' '), current])
  return [...names].map((value) => ({ value, label: wordsOf(value) }))
}

const COHORT_CHOICES = ['in', 'not_in'].map((value) => ({ value, label: wordsOf(value) }))
const NEW: PropertyFilter = { type: 'event', key: '', operator: 'exact' }
const BETWEEN = /\s*,\s*/

export function FilterDialog({ filter, of, onSave, onClose }: FilterDialogProps) {
  const [draft, setDraft] = useState<PropertyFilter>(
    filter ?? (of === 'persons' ? { ...NEW, type: 'person' } : NEW),
  )
  const [text, setText] = useState(textOf(filter?.value))
  const { type, key, operator } = draft
  const needsValue = type !== 'hogql' && !isBare(operator)
  const types = TYPES.filter(({ value }) => filter?.type === value || !LEFT_OUT[of].includes(value))
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (type === 'cohort') return onSave(draft)
    const value = takesList(operator) ? text.split(BETWEEN).filter((part) => part !== '') : text
    onSave({ type, key: key.trim(), operator, ...(needsValue ? { value } : {}) })
  }
  return (
    <Dialog title={filter === undefined ? 'New filter' : 'Edit filter'} onClose={onClose}>
      <form class="form" onSubmit={send}>
        <Select
          label="Filter by"
          options={types}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setDraft(withType(draft, TYPES.find((each) => each.value === value)?.value ?? type))
          }
        />
        {type === 'cohort' ? (
          <CohortFields draft={draft} onChange={setDraft} />
        ) : (
          <KeyField draft={draft} of={of} onChange={setDraft} />
        )}
        {type !== 'hogql' && type !== 'cohort' && (
          <Select
            label="Comparison"
            value={operator}
            options={comparisons(operator).filter(
              ({ value }) => type !== 'event_metadata' || EXPRESSED.includes(value),
            )}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, operator: value })}
          />
        )}
        {needsValue && type !== 'cohort' && (
          <ValueField draft={draft} text={text} onChange={setText} />
        )}
        <Button tone="main" type="submit" disabled={key.trim() === ''}>
          Apply
        </Button>
      </form>
    </Dialog>
  )
}

function textOf(value: PropertyFilter['value']): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ')
}

/** A cohort has other comparisons than a property, and is named by its id. */
function withType(draft: PropertyFilter, type: PropertyFilter['type']): PropertyFilter {
  if (type === draft.type) return draft
  if (type === 'cohort') return { type, key: 'id', operator: 'in' }
  const hasComparison = type !== 'event_metadata' || EXPRESSED.includes(draft.operator)
  return draft.type !== 'cohort' && hasComparison ? { ...draft, type } : { ...NEW, type }
}

type CohortFieldsProps = {
  readonly draft: PropertyFilter
  readonly onChange: (draft: PropertyFilter) => void
}

function CohortFields({ draft, onChange }: CohortFieldsProps) {
  const { id: project } = useProject()
  const { data = [], error } = useCohortNames(project)
  const named = data.map((each) => ({ value: String(each.id), label: nameOfCohort(each) }))
  const chosen = textOf(draft.value)
  const first = chosen === '' ? [{ value: '', label: 'Select a cohort' }] : []
  return (
    <>
      <Select
        label="Comparison"
        value={draft.operator}
        options={COHORT_CHOICES}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, operator: value === 'not_in' ? value : 'in' })
        }
      />
      <Select
        label="Cohort"
        value={chosen}
        options={[...first, ...named]}
        required
        problem={error === undefined ? undefined : failureOf(error).detail}
        hint={named.length === 0 ? 'This project has no cohorts.' : undefined}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...draft,
            value,
            cohort_name: named.find((each) => each.value === value)?.label ?? value,
          })
        }
      />
    </>
  )
}

type KeyFieldProps = CohortFieldsProps & { readonly of: FilterUse }

/** A property is picked by its name, and an expression is typed. */
function KeyField({ draft, of, onChange }: KeyFieldProps) {
  const { type, key } = draft
  const from = (SOURCES[type] ?? []).filter((each) => of !== 'persons' || each !== 'event_property')
  if (type === 'hogql') {
    return (
      <Field
        label="Expression"
        value={key}
        required
        autofocus
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => onChange({ ...draft, key: value })}
      />
    )
  }
  return (
    <Picker
      label="Property"
      value={key}
      none="Select a property"
      from={from}
      onChoose={({ source, name }) =>
        onChange({ ...draft, type: TYPE_OF[source] ?? type, key: name })
      }
    />
  )
}

type ValueFieldProps = {
  readonly draft: PropertyFilter
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Field of the value, with known values as suggestions; in a list the last item is searched. */
function ValueField({ draft, text, onChange }: ValueFieldProps) {
  const { id: project } = useProject()
  const isList = takesList(draft.operator)
  const search = isList ? (text.split(BETWEEN).at(-1) ?? '') : text
  const values = usePropertyValues(project, draft, useSettled(search))
  const sample = usePropertySample(draft.type === 'person').data?.person ?? []
  const ofPerson = sample.find(({ name }) => name === draft.key)?.samples ?? []
  const offered = draft.type === 'person' ? ofPerson : (values.data ?? [])
  return (
    <ValueInput
      label="Value"
      value={text}
      onChange={onChange}
      hint={isList ? 'Separate values with commas.' : undefined}
      options={offered.filter((value) => matches(search, [value]) && value !== search)}
      onChoose={(value) => onChange(text.slice(0, text.length - search.length) + value)}
    />
  )
}
