import { useEffect } from 'preact/hooks'
import { nameOfCohort, useCohortNames } from '../../data/cohorts.ts'
import { useProject } from '../../data/projects.ts'
import { Button } from '../../kit/button.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { Select } from '../../kit/field.tsx'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

type BreakdownCohortsProps = {
  readonly chosen: readonly number[]
  readonly onChange: (ids: readonly number[]) => void
}

/** As many as a question takes. */
const COHORTS_MAX = 25

/** Cohorts of a breakdown, at least one. */
export function BreakdownCohorts({ chosen, onChange }: BreakdownCohortsProps) {
  const { id: project } = useProject()
  const { data, error, reload } = useCohortNames(project)
  const [first] = data ?? []
  useEffect(() => {
    if (chosen.length === 0 && first !== undefined) onChange([first.id])
  }, [chosen.length, first?.id])
  if (data === undefined) {
    return error === undefined ? null : <FailureNote error={error} onRetry={reload} />
  }
  if (first === undefined) return <p class="insight-note">{TEXTS.noCohorts}</p>
  const rest = data.filter(({ id }) => !chosen.includes(id))
  const nameOf = (id: number) => {
    const known = data.find((each) => each.id === id)
    return known === undefined ? TEXTS.deletedCohort(id) : nameOfCohort(known)
  }
  return (
    <>
      <ul class="chips" aria-label={TEXTS.cohorts}>
        {chosen.map((id) => (
          <li key={id} class="chip">
            <span
              class="chip-text"
              style={chosen.length > 1 ? {} : { paddingInlineEnd: 'var(--space-3)' }}
            >
              {nameOf(id)}
            </span>
            {chosen.length > 1 && (
              <Button
                tone="quiet"
                icon="close"
                aria-label={`${TEXTS.takeOut} ${nameOf(id)}`}
                onClick={() => onChange(chosen.filter((each) => each !== id))}
              />
            )}
          </li>
        ))}
      </ul>
      {rest.length > 0 && chosen.length < COHORTS_MAX && (
        <Select
          label={TEXTS.addCohort}
          labelHidden
          value=""
          options={[
            { value: '', label: TEXTS.addCohort },
            ...rest.map((each) => ({ value: String(each.id), label: nameOfCohort(each) })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            value !== '' && onChange([...chosen, Number(value)])
          }
        />
      )}
    </>
  )
}
