import { useId, useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import { getProject, type JsonObject, updateProject } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Field } from '../../kit/field.tsx'
import { asProperties } from '../../kit/filters/expression.ts'
import { filtersOf } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Picker } from '../../kit/picker/picker.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { useAction } from '../../kit/use-action.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'

type Goal = { readonly name: string; readonly event: string; readonly properties?: unknown }

type GoalsDialogProps = {
  /** @param from the earlier name, undefined for a new goal. @param to undefined for a removed one. */
  readonly onChange: (from: string | undefined, to: string | undefined) => void
  readonly onClose: () => void
}

/** The goals of the project, with a form for one of them or for one more. */
export function GoalsDialog({ onChange, onClose }: GoalsDialogProps) {
  const { id } = useProject()
  const project = useResource(`project ${id}`, (signal) => getProject(client, { id }, { signal }))
  const { busy, failure, run } = useAction(true)
  const [edited, setEdited] = useState<string>()
  // A form that was sent, or given up, begins anew.
  const [round, setRound] = useState(0)
  const edit = (name: string | undefined) => {
    setEdited(name)
    setRound(round + 1)
  }
  /** @param old undefined to add `goal`. @param goal undefined to remove `old`. */
  const save = (goals: readonly Goal[], old: Goal | undefined, goal: Goal | undefined) =>
    run(async () => {
      const next = goals.flatMap((each) => (each === old ? (goal ?? []) : each))
      if (old === undefined && goal !== undefined) next.push(goal)
      project.set(await updateProject(client, { id, web_goals: next as readonly JsonObject[] }))
      if (goal !== undefined || old?.name === edited) edit(undefined)
      onChange(old?.name, goal?.name)
    })
  return (
    <Dialog title={TEXTS.goals} onClose={onClose}>
      <Loaded of={project} skeleton={<Skeleton height={240} />}>
        {({ web_goals }) => {
          const goals = web_goals as unknown as readonly Goal[]
          const open = goals.find(({ name }) => name === edited)
          return (
            <div class="form">
              {goals.length > 0 && (
                <ul class="web-goals">
                  {goals.map((goal) => (
                    <li key={goal.name}>
                      <span>
                        {goal.name} <small class="web-change">{labelOf(goal.event)}</small>
                      </span>
                      <Button
                        tone="quiet"
                        aria-label={TEXTS.editGoal(goal.name)}
                        aria-pressed={goal === open}
                        onClick={() => edit(goal === open ? undefined : goal.name)}
                      >
                        {TEXTS.edit}
                      </Button>
                      <Button
                        tone="quiet"
                        icon="close"
                        busy={busy}
                        aria-label={TEXTS.removeGoal(goal.name)}
                        onClick={() => save(goals, goal, undefined)}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <GoalForm
                key={round}
                goal={open}
                busy={busy}
                problem={failure?.detail}
                onCancel={() => edit(undefined)}
                onSave={(goal) => save(goals, open, goal)}
              />
            </div>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

type GoalFormProps = {
  /** Undefined for a new one. */
  readonly goal: Goal | undefined
  readonly busy: boolean
  readonly problem: string | undefined
  readonly onCancel: () => void
  readonly onSave: (goal: Goal) => void
}

function GoalForm({ goal, busy, problem, onCancel, onSave }: GoalFormProps) {
  const form = useId()
  const [name, setName] = useState(goal?.name ?? '')
  const [event, setEvent] = useState(goal?.event ?? '')
  const [filters, setFilters] = useState(() => filtersOf(JSON.stringify(goal?.properties ?? [])))
  return (
    <>
      <h3>{goal === undefined ? TEXTS.newGoal : TEXTS.editGoal(goal.name)}</h3>
      <form
        id={form}
        class="form"
        onSubmit={(submit) => {
          submit.preventDefault()
          if (event === '') return
          onSave({ name: name.trim(), event, properties: asProperties(filters) })
        }}
      >
        <Field
          label={TEXTS.goalName}
          required
          maxLength={100}
          autocomplete="off"
          value={name}
          problem={problem}
          onInput={({ currentTarget: { value } }) => setName(value)}
        />
        <Picker
          label={TEXTS.goalEvent}
          value={event}
          none={TEXTS.chooseEvent}
          from={['event']}
          onChoose={(choice) => setEvent(choice.name)}
        />
      </form>
      {/* Beside the form: filters have forms of their own. */}
      <span class="field-label">{TEXTS.goalFilters}</span>
      <FilterChips filters={filters} of="events" onChange={setFilters} />
      <span class="actions">
        {goal !== undefined && <Button onClick={onCancel}>{TEXTS.cancel}</Button>}
        <Button tone="main" type="submit" form={form} busy={busy} disabled={event === ''}>
          {goal === undefined ? TEXTS.addGoal : TEXTS.saveGoal}
        </Button>
      </span>
    </>
  )
}
