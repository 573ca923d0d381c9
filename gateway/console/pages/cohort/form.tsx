import { nameOfCohort, useCohortNames } from '../../data/cohorts.ts'
import { Field } from '../../kit/field.tsx'
import type { Group } from './criteria.ts'
import { CriteriaCount } from './criteria-count.tsx'
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
