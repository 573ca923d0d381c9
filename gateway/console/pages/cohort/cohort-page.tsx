import { type Cohort, getCohort } from '../../../client/index.ts'
import './cohort.css'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import { CohortView } from './cohort-view.tsx'
import { NewCohort } from './new-cohort.tsx'
import { COHORT_TEXTS as TEXTS } from './texts.ts'

export default function CohortPage({ params }: PageProps) {
  const { id = '' } = params
  // Another cohort begins without the draft of the one before.
  return id === 'new' ? <NewCohort /> : <StoredCohort key={id} id={id} />
}

function StoredCohort({ id }: { readonly id: string }) {
  const { id: project } = useProject()
  const cohort = useResource<Cohort>(`cohort ${project} ${id}`, (signal) =>
    getCohort(client, { project_id: project, id }, { signal }),
  )
  const isMissing = cohort.error !== undefined && failureOf(cohort.error).kind === 'missing'
  if (isMissing || cohort.data?.deleted === true) return <NotFound what="cohort" />
  return (
    <>
      {cohort.data === undefined && <PageHead title={TEXTS.title} />}
      <Loaded of={cohort} skeleton={<TableSkeleton rows={6} height={64} />}>
        {(loaded) => <CohortView project={project} cohort={loaded} resource={cohort} />}
      </Loaded>
    </>
  )
}
