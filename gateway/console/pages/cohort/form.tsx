import { countCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { nameOfCohort, useCohortNames } from '../../data/cohorts.ts'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { useSettled } from '../../data/settled.ts'
import { Field } from '../../kit/field.tsx'
import { filtersOfCriteria, type Group, isComplete } from './criteria.ts'
import { CriteriaGroup } from './criteria-group.tsx'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

export type Draft = {
  readonly name: string
  readonly description: string
  readonly criteria: Group
}

type NameFieldsProps = {
  readonly draft: Draft
  readonly problem?: string | undefined
  readonly onEdit: (change: Partial<Draft>) => void
}

const NAME_MAX = 400
const DESCRIPTION_MAX = 4000

export function NameFields({ draft, problem, onEdit }: NameFieldsProps) {
  return (
    <>
      <Field
        label={TEXTS.name}
        value={draft.name}
        maxLength={NAME_MAX}
        autocomplete="off"
        required
        problem={problem}
        onInput={({ currentTarget: { value } }) => onEdit({ name: value })}
      />
      <Field
        label={TEXTS.description}
        value={draft.description}
        maxLength={DESCRIPTION_MAX}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => onEdit({ description: value })}
      />
    </>
  )
}

type CriteriaProps = {
  readonly project: number
  readonly criteria: Group
  /** The cohort itself, which cannot contain itself. */
  readonly own?: number
  /** Error of the server about the criteria. */
  readonly problem?: string | undefined
  readonly onChange: (criteria: Group) => void
}

/** Criteria of a dynamic cohort, and the number of matching persons. */
export function Criteria({ project, criteria, own, problem, onChange }: CriteriaProps) {
  const names = useCohortNames(project)
  const cohorts = (names.data ?? [])
    .filter(({ id }) => id !== own)
    .map((each) => ({ value: String(each.id), label: nameOfCohort(each) }))
  return (
    <section class="cohort-part" aria-labelledby="cohort-criteria">
      <h2 id="cohort-criteria">{TEXTS.criteria}</h2>
      <CriteriaGroup group={criteria} cohorts={cohorts} name="1" depth={0} onChange={onChange} />
      <CriteriaCount project={project} criteria={criteria} />
      <Problem>{problem}</Problem>
    </section>
  )
}

/** Error of the server about a part of the form. */
export function Problem({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p class="field-problem" role="alert">
      {children}
    </p>
  )
}

type CriteriaCountProps = { readonly project: number; readonly criteria: Group }

/** Number of persons that match criteria that are not saved yet. */
function CriteriaCount({ project, criteria }: CriteriaCountProps) {
  return (
    <p class="cohort-count figure" role="status">
      {useCount(project, criteria)}
    </p>
  )
}

function useCount(project: number, criteria: Group): string {
  const canCount = isComplete(criteria)
  const question = JSON.stringify([project, criteria])
  const settled = useSettled(question)
  const { data, error, isStale } = useResource(
    canCount && settled === question ? `cohort-count ${settled}` : undefined,
    (signal) => {
      const filters = filtersOfCriteria(criteria)
      return countCohort(client, { project_id: project, filters }, { signal })
    },
  )
  if (!canCount) return TEXTS.incomplete
  if (settled !== question) return TEXTS.counting
  if (error !== undefined) return failureOf(error).detail
  if (data === undefined || isStale) return TEXTS.counting
  const { count, total } = data
  return count === null || total === null ? TEXTS.slow : TEXTS.matches(count, total)
}
