import { getDashboard } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { NotFound } from '../not-found.tsx'
import type { PageProps } from '../page-props.ts'
import './dashboard.css'
import { DashboardView } from './dashboard-view.tsx'
import { DASHBOARD_TEXTS as TEXTS } from './texts.ts'

export default function DashboardPage({ params }: PageProps) {
  const { id: project } = useProject()
  const { id = '' } = params
  const dashboard = useResource(`dashboard ${project} ${id}`, (signal) =>
    getDashboard(client, { project_id: project, id }, { signal }),
  )
  if (dashboard.data === undefined && dashboard.error !== undefined) {
    if (failureOf(dashboard.error).kind === 'missing') return <NotFound what="dashboard" />
  }
  return (
    <>
      {dashboard.data === undefined && <PageHead title={TEXTS.title} />}
      <Loaded of={dashboard} skeleton={<Skeleton height={480} />}>
        {(shown) => <DashboardView project={project} dashboard={shown} resource={dashboard} />}
      </Loaded>
    </>
  )
}
