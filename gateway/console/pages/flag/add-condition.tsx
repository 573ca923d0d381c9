import type { JsonRecord } from '../../data/json.ts'
import { Menu, type MenuItem } from '../../kit/menu.tsx'
import { conditionText, type Names } from './sentence.ts'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

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
export function AddCondition({ names, fresh, takesCohorts, onAdd }: AddConditionProps) {
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
