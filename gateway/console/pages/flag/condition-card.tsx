import type { Json } from '../../../client/index.ts'
import type { JsonRecord } from '../../data/json.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { Menu, type MenuItem } from '../../kit/menu.tsx'
import { groupIndexOf, propertiesOf, rolloutOf, variantsOf } from './model.ts'
import { PropertyFields } from './property-fields.tsx'
import { Reach } from './reach.tsx'
import { conditionText, type Names, setText } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type ConditionCardProps = {
  readonly project: number
  readonly filters: Json
  readonly set: JsonRecord
  readonly at: number
  readonly count: number
  readonly names: Names
  readonly isUnreached: boolean
  readonly isDragged: boolean
  readonly onChange: (set: JsonRecord) => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
  readonly onDrag: (at: number | undefined) => void
  readonly onDrop: () => void
}

export function ConditionCard(props: ConditionCardProps) {
  const { project, filters, set, at, names, isUnreached, isDragged, onChange } = props
  const conditions = propertiesOf(set)
  const withConditions = (properties: readonly JsonRecord[]) => onChange({ ...set, properties })
  const index = groupIndexOf(filters, set)
  const fresh: JsonRecord =
    index === undefined
      ? { key: '', type: 'person', operator: 'exact', value: '' }
      : { key: '', type: 'group', group_type_index: index, operator: 'exact', value: '' }
  return (
    <li
      class={`flag-set${isUnreached ? ' flag-set-unreached' : ''}${isDragged ? ' flag-dragged' : ''}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        props.onDrop()
      }}
    >
      <CardHead {...props} />
      {isUnreached && <p class="flag-warning">{TEXTS.unreached}</p>}
      {conditions.length === 0 && <p class="flag-note">{TEXTS.everybody}</p>}
      <ul class="flag-conditions">
        {conditions.map((condition, place) => (
          <ConditionRow
            key={place}
            condition={condition}
            names={names}
            set={at + 1}
            onChange={(next) => withConditions(conditions.toSpliced(place, 1, next))}
            onRemove={() => withConditions(conditions.toSpliced(place, 1))}
          />
        ))}
      </ul>
      <div class="flag-outcome">
        <AddCondition
          names={names}
          fresh={fresh}
          takesCohorts={index === undefined}
          onAdd={(condition) => withConditions([...conditions, condition])}
        />
        <RolloutFields filters={filters} set={set} onChange={onChange} />
      </div>
      <Reach project={project} set={set} index={index} />
      <p class="unseen">{setText(filters, set, names)}</p>
    </li>
  )
}

function CardHead(props: ConditionCardProps) {
  const { filters, set, at, count, names, onMove, onRemove, onDrag } = props
  const of = `condition set ${at + 1}`
  return (
    <header class="flag-set-head">
      {/* Moved by the buttons too. */}
      <span
        class="flag-handle"
        title={TEXTS.handle}
        aria-hidden="true"
        draggable
        onDragStart={() => onDrag(at)}
        onDragEnd={() => onDrag(undefined)}
      >
        ⠿
      </span>
      <h3>
        {at + 1}. {setText(filters, set, names)}
      </h3>
      <span class="flag-set-actions">
        <Button
          tone="quiet"
          disabled={at === 0}
          aria-label={`${TEXTS.up}: ${of}`}
          onClick={() => onMove(at - 1)}
        >
          ↑
        </Button>
        <Button
          tone="quiet"
          disabled={at === count - 1}
          aria-label={`${TEXTS.down}: ${of}`}
          onClick={() => onMove(at + 1)}
        >
          ↓
        </Button>
        <Button tone="quiet" icon="close" aria-label={`${TEXTS.remove} ${of}`} onClick={onRemove} />
      </span>
    </header>
  )
}

type RolloutProps = Pick<ConditionCardProps, 'filters' | 'set' | 'onChange'>

function RolloutFields({ filters, set, onChange }: RolloutProps) {
  const variants = variantsOf(filters)
  const { variant } = set
  return (
    <div class="flag-rollout">
      <Field
        label={TEXTS.rollout}
        type="number"
        min={0}
        max={100}
        step="any"
        value={rolloutOf(set)}
        onInput={(event) => {
          const percent = event.currentTarget.valueAsNumber
          if (percent >= 0 && percent <= 100) onChange({ ...set, rollout_percentage: percent })
        }}
      />
      {variants.length > 0 && (
        <Select
          label={TEXTS.override}
          value={typeof variant === 'string' ? variant : ''}
          options={[
            { value: '', label: TEXTS.bySplit },
            ...variants.map(({ key }) => ({ value: key, label: key })),
          ]}
          onChange={(event) => onChange({ ...set, variant: event.currentTarget.value || null })}
        />
      )}
    </div>
  )
}

type AddConditionProps = {
  /** Every cohort and flag that a condition may name. */
  readonly names: Names
  /** An empty condition on a property. */
  readonly fresh: JsonRecord
  /** Whether the set is about persons, who alone are in cohorts. */
  readonly takesCohorts: boolean
  readonly onAdd: (condition: JsonRecord) => void
}

/** A condition on a property, a cohort or another flag. */
function AddCondition({ names, fresh, takesCohorts, onAdd }: AddConditionProps) {
  const cohorts = [...names.cohorts.keys()].map(
    (id): JsonRecord => ({ key: 'id', type: 'cohort', operator: 'in', value: Number(id) }),
  )
  const flags = [...names.flags.keys()].map(
    (key): JsonRecord => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true }),
  )
  const named = takesCohorts ? [...cohorts, ...flags] : []
  const items: readonly MenuItem[] = [
    { label: TEXTS.onProperty, onSelect: () => onAdd(fresh) },
    ...named.map((condition) => ({
      label: conditionText(condition, names),
      onSelect: () => onAdd(condition),
    })),
  ]
  return (
    <Menu label={TEXTS.addCondition} icon="plus" tone="quiet" items={items}>
      {TEXTS.addCondition}
    </Menu>
  )
}

type ConditionRowProps = {
  readonly condition: JsonRecord
  readonly names: Names
  /** Number of the set, from 1. */
  readonly set: number
  readonly onChange: (condition: JsonRecord) => void
  readonly onRemove: () => void
}

/** A condition on a property in fields; one on a cohort or a flag in words. */
function ConditionRow({ condition, names, set, onChange, onRemove }: ConditionRowProps) {
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
