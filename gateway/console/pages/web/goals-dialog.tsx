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
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Picker } from '../../kit/picker/picker.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { useAction } from '../../kit/use-action.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'

type Goal = { readonly name: string; readonly event: string; readonly properties?: unknown }

type GoalsDialogProps = { readonly onChange: () => void; readonly onClose: () => void }

/** The goals of the project, with a form for one more. */
export function GoalsDialog({ onChange, onClose }: GoalsDialogProps) {
  const { id } = useProject()
  const project = useResource(`project ${id}`, (signal) => getProject(client, { id }, { signal }))
  const { busy, failure, run } = useAction(true)
  const save = (goals: readonly Goal[], onSaved = () => {}) =>
    run(async () => {
      project.set(await updateProject(client, { id, web_goals: goals as readonly JsonObject[] }))
      onSaved()
      onChange()
    })
  return (
    <Dialog title={TEXTS.goals} onClose={onClose}>
      <Loaded of={project} skeleton={<Skeleton height={240} />}>
        {({ web_goals }) => {
          const goals = web_goals as unknown as readonly Goal[]
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
                        icon="close"
                        busy={busy}
                        aria-label={TEXTS.removeGoal(goal.name)}
                        onClick={() => save(goals.filter((each) => each !== goal))}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <NewGoal
                busy={busy}
                problem={failure?.detail}
                onAdd={(goal, onSaved) => save([...goals, goal], onSaved)}
              />
            </div>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

type NewGoalProps = {
  readonly busy: boolean
  readonly problem: string | undefined
  readonly onAdd: (goal: Goal, onSaved: () => void) => void
}

function NewGoal({ busy, problem, onAdd }: NewGoalProps) {
  const form = useId()
  const [name, setName] = useState('')
  const [event, setEvent] = useState('')
  const [filters, setFilters] = useState<readonly PropertyFilter[]>([])
  const clear = () => {
    setName('')
    setEvent('')
    setFilters([])
  }
  return (
    <>
      <form
        id={form}
        class="form"
        aria-label={TEXTS.newGoal}
        onSubmit={(submit) => {
          submit.preventDefault()
          if (event === '') return
          onAdd({ name: name.trim(), event, properties: asProperties(filters) }, clear)
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
      <Button tone="main" type="submit" form={form} busy={busy} disabled={event === ''}>
        {TEXTS.addGoal}
      </Button>
    </>
  )
}
