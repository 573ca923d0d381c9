import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { type Cohort, createCohort, updateCohort } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { nameOfCohort } from '../../data/cohorts.ts'
import { forgetResources, type Resource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { later } from '../../kit/later.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { AddPersons } from './add-persons.tsx'
import { criteriaOf, filtersOfCriteria } from './criteria.ts'
import { Facts } from './facts.tsx'
import { Criteria, type Draft, NameFields } from './form.tsx'
import { Members } from './members.tsx'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

const DeleteCohortDialog = later(
  async () => (await import('./delete-cohort-dialog.tsx')).DeleteCohortDialog,
)

type CohortViewProps = {
  readonly project: number
  readonly cohort: Cohort
  readonly resource: Resource<Cohort>
}

export function CohortView({ project, cohort, resource }: CohortViewProps) {
  const { id, is_static: isStatic } = cohort
  const [draft, setDraft] = useState<Draft>()
  const shown = draft ?? draftOf(cohort)
  const edit = (change: Partial<Draft>) => setDraft({ ...shown, ...change })
  const { busy, failure, run } = useAction(true)
  const save = async () => {
    const { name, description, criteria } = shown
    const filters = isStatic ? {} : { filters: filtersOfCriteria(criteria) }
    const change = { project_id: project, id, name, description, ...filters }
    const changed = await updateCohort(client, change)
    // Sentences and lists of other pages have the old name.
    forgetResources()
    resource.set(changed)
    setDraft(undefined)
    toast(TEXTS.saved)
  }
  const ofName = failure?.attr === 'name'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (draft !== undefined && !busy) run(save)
      }}
    >
      <Head project={project} cohort={cohort}>
        {draft !== undefined && (
          <>
            <Button onClick={() => setDraft(undefined)}>{TEXTS.discard}</Button>
            <Button tone="main" type="submit" busy={busy}>
              {TEXTS.save}
            </Button>
          </>
        )}
      </Head>
      <div class="cohort-columns">
        <div class="cohort-main">
          <NameFields draft={shown} onEdit={edit} problem={ofName ? failure.detail : undefined} />
          {isStatic ? (
            <AddPersons project={project} cohort={id} onAdded={resource.reload} />
          ) : (
            <Criteria
              project={project}
              criteria={shown.criteria}
              own={id}
              problem={ofName ? undefined : failure?.detail}
              onChange={(criteria) => edit({ criteria })}
            />
          )}
        </div>
        <Facts project={project} cohort={cohort} resource={resource} />
      </div>
      <Members project={project} cohort={cohort} isChanged={draft !== undefined && !isStatic} />
    </form>
  )
}

function draftOf({ name, description, filters }: Cohort): Draft {
  return { name, description, criteria: criteriaOf(filters) }
}

type HeadProps = Omit<CohortViewProps, 'resource'> & { readonly children: preact.ComponentChildren }

function Head({ project, cohort, children }: HeadProps) {
  const { filters, description, is_static: isStatic } = cohort
  const [isDeleting, setDeleting] = useState(false)
  const { busy, run } = useAction()
  const list = `/project/${project}/cohorts`
  const duplicate = async () => {
    const name = TEXTS.copyOf(nameOfCohort(cohort))
    const same = { project_id: project, name, description, filters: filters as never }
    const { id } = await createCohort(client, same)
    forgetResources()
    navigate(`${list}/${id}`)
    toast(TEXTS.duplicated)
  }
  return (
    <>
      <PageHead title={nameOfCohort(cohort)} note={<a href={list}>{TEXTS.back}</a>}>
        {children}
        {!isStatic && (
          <Button busy={busy} onClick={() => run(duplicate)}>
            {TEXTS.duplicate}
          </Button>
        )}
        <Button tone="danger" onClick={() => setDeleting(true)}>
          {TEXTS.delete}
        </Button>
      </PageHead>
      {isDeleting && (
        <DeleteCohortDialog
          project={project}
          cohort={cohort}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            forgetResources()
            navigate(list)
            toast(TEXTS.deleted)
          }}
        />
      )}
    </>
  )
}
