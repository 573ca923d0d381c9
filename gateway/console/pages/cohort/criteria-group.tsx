import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { textOf } from '../flag/model.ts'
import { PropertyFields } from '../flag/property-fields.tsx'
import { type Criterion, type Group, isGroup, NEW_CONDITION } from './criteria.ts'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

export type CohortChoice = { readonly value: string; readonly label: string }

type GroupProps = {
  readonly group: Group
  /** Cohorts that a criterion may name. */
  readonly cohorts: readonly CohortChoice[]
  /** Names the group for screen readers: "group 2". */
  readonly name: string
  /** Levels of groups around this one. */
  readonly depth: number
  readonly onChange: (group: Group) => void
  readonly onRemove?: (() => void) | undefined
}

const MATCHES = [
  { value: 'AND', label: TEXTS.all },
  { value: 'OR', label: TEXTS.any },
]

/** Criteria of which all or any must hold, and groups of them. */
export function CriteriaGroup(props: GroupProps) {
  const { group, cohorts, name, depth, onChange, onRemove } = props
  const { type, values } = group
  const put = (next: readonly Criterion[]) => onChange({ ...group, values: next })
  const add = (criterion: Criterion) => put([...values, criterion])
  const [first] = cohorts
  return (
    <fieldset class={`cohort-group${depth > 0 ? ' cohort-group-inner' : ''}`} aria-label={name}>
      <div class="cohort-match">
        <Select
          label={TEXTS.match}
          options={MATCHES}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...group, type: value === 'OR' ? 'OR' : 'AND' })
          }
        />
        {onRemove !== undefined && (
          <Button tone="quiet" icon="close" aria-label={TEXTS.removeGroup} onClick={onRemove} />
        )}
      </div>
      {values.length === 0 && depth === 0 && <p class="cohort-note">{TEXTS.everybody}</p>}
      <ul class="cohort-criteria">
        {values.map((each, at) => (
          <li key={at}>
            {at > 0 && <span class="cohort-joint">{type === 'OR' ? TEXTS.or : TEXTS.and}</span>}
            {isGroup(each) ? (
              <CriteriaGroup
                group={each}
                cohorts={cohorts}
                name={`${name}.${at + 1}`}
                depth={depth + 1}
                onChange={(next) => put(values.toSpliced(at, 1, next))}
                onRemove={() => put(values.toSpliced(at, 1))}
              />
            ) : (
              <ConditionRow
                condition={each}
                cohorts={cohorts}
                name={`${name}.${at + 1}`}
                onChange={(next) => put(values.toSpliced(at, 1, next))}
                onRemove={() => put(values.toSpliced(at, 1))}
              />
            )}
          </li>
        ))}
      </ul>
      <div class="cohort-adding">
        <Button tone="quiet" icon="plus" onClick={() => add(NEW_CONDITION)}>
          {TEXTS.addCondition}
        </Button>
        {first !== undefined && (
          <Button
            tone="quiet"
            icon="plus"
            onClick={() => {
              const value = Number(first.value)
              add({ type: 'cohort', key: 'id', operator: 'in', value })
            }}
          >
            {TEXTS.addCohort}
          </Button>
        )}
        {depth === 0 && (
          <Button
            tone="quiet"
            icon="plus"
            onClick={() => add({ type: type === 'AND' ? 'OR' : 'AND', values: [NEW_CONDITION] })}
          >
            {TEXTS.addGroup}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

type RowProps = {
  readonly condition: JsonRecord
  readonly cohorts: readonly CohortChoice[]
  readonly name: string
  readonly onChange: (condition: JsonRecord) => void
  readonly onRemove: () => void
}

function ConditionRow({ condition, cohorts, name, onChange, onRemove }: RowProps) {
  const { negation, ...plain } = condition
  return (
    <div class="cohort-condition">
      {negation === true && (
        <Button aria-pressed="true" onClick={() => onChange(plain)}>
          {TEXTS.not}
        </Button>
      )}
      {condition['type'] === 'cohort' ? (
        <CohortFields condition={condition} cohorts={cohorts} name={name} onChange={onChange} />
      ) : (
        <PropertyFields condition={condition} of={name} onChange={onChange} />
      )}
      <Button tone="quiet" icon="close" aria-label={`${TEXTS.remove} ${name}`} onClick={onRemove} />
    </div>
  )
}

const MEMBERSHIP = [
  { value: 'in', label: TEXTS.in },
  { value: 'not_in', label: TEXTS.notIn },
]

function CohortFields({ condition, cohorts, name, onChange }: Omit<RowProps, 'onRemove'>) {
  const value = textOf(condition['value'])
  const isKnown = cohorts.some((each) => each.value === value)
  return (
    <>
      <Select
        label={`${TEXTS.operator} ${name}`}
        labelHidden
        options={MEMBERSHIP}
        value={condition['operator'] === 'not_in' ? 'not_in' : 'in'}
        onChange={(event) => onChange({ ...condition, operator: event.currentTarget.value })}
      />
      <Select
        label={`${TEXTS.cohort} ${name}`}
        labelHidden
        value={value}
        options={isKnown ? cohorts : [{ value, label: `${TEXTS.cohort} ${value}` }, ...cohorts]}
        onChange={(event) => onChange({ ...condition, value: Number(event.currentTarget.value) })}
      />
    </>
  )
}
