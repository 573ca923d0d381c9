import { type Goal, goalsIn } from '../../../../src/core/charts/goals.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { changedIn, memberOf } from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { GOAL_TEXTS as TEXTS } from './goal-texts.ts'

/** Goal lines of a trend. */
export function GoalLines({ question, onChange }: EditProps) {
  const goals = goalsIn(memberOf(question, 'trendsFilter')['goalLines'])
  const set = (next: readonly Goal[]) =>
    onChange(
      changedIn(question, 'trendsFilter', { goalLines: next.length === 0 ? undefined : next }),
    )
  return (
    <ul class="insight-goals">
      {goals.map((goal, at) => (
        <li key={at}>
          <Field
            label={`${TEXTS.label} ${at + 1}`}
            value={goal.label}
            autocomplete="off"
            onChange={({ currentTarget: { value: label } }) =>
              set(goals.with(at, { ...goal, label }))
            }
          />
          <Field
            label={TEXTS.value}
            type="number"
            step="any"
            value={goal.value}
            onChange={({ currentTarget: { valueAsNumber: value } }) => {
              if (Number.isFinite(value)) set(goals.with(at, { ...goal, value }))
            }}
          />
          <Button
            tone="quiet"
            icon="close"
            aria-label={`${TEXTS.remove} ${goal.label}`}
            onClick={() => set(goals.toSpliced(at, 1))}
          />
        </li>
      ))}
    </ul>
  )
}
