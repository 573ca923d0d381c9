import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { createDashboard, type DashboardSummary, listDashboards } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { NameDialog } from '../../kit/dialogs/asks.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { DashboardActions, type Home, useHome } from './dashboard-actions.tsx'
import './dashboards.css'
import { DASHBOARDS_TEXTS as TEXTS } from './texts.ts'

const DASHBOARDS_MAX = 200

type Dashboards = Awaited<ReturnType<typeof listDashboards>>

export default function DashboardsPage() {
  const { id } = useProject()
  const [making, setMaking] = useState(false)
  const home = useHome(id)
  const dashboards = useResource(`dashboards ${id}`, (signal) =>
    listDashboards(client, { project_id: id, limit: DASHBOARDS_MAX }, { signal }),
  )
  const make = (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      {TEXTS.make}
    </Button>
  )
  return (
    <>
      <PageHead
        title={TEXTS.title}
        call={{ verb: 'GET', path: `/api/projects/${id}/dashboards/?limit=${DASHBOARDS_MAX}` }}
      >
        {make}
      </PageHead>
      <Loaded
        of={dashboards}
        skeleton={<TableSkeleton rows={6} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <Empty title={TEXTS.emptyTitle} action={make}>
            {TEXTS.empty}
          </Empty>
        }
      >
        {({ results }) => (
          <Table
            caption={TEXTS.caption}
            columns={columnsOf(id, home, dashboards)}
            rows={results}
            keyOf={(each) => each.id}
          />
        )}
      </Loaded>
      {making && (
        <NameDialog
          title={TEXTS.make}
          label={TEXTS.name}
          action={TEXTS.create}
          onSubmit={async (name) => {
            const made = await createDashboard(client, { project_id: id, name })
            navigate(`/project/${id}/dashboard/${made.id}`)
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}

function columnsOf(
  project: number,
  home: Home,
  dashboards: Resource<Dashboards>,
): readonly Column<DashboardSummary>[] {
  return [
    {
      key: 'name',
      title: TEXTS.name,
      cell: ({ id, name, description }) => (
        <>
          <a class="dashboards-name" href={`/project/${project}/dashboard/${id}`}>
            {name || id}
          </a>
          {home.data === id && <span class="dashboards-home">{TEXTS.home}</span>}
          {description !== '' && <span class="dashboards-about">{description}</span>}
        </>
      ),
    },
    {
      key: 'changed',
      isWide: true,
      title: TEXTS.changed,
      align: 'end',
      cell: ({ last_modified_at: at }) => <Time value={at} as="ago" />,
    },
    {
      key: 'actions',
      title: TEXTS.actions,
      align: 'end',
      cell: (dashboard) => (
        <DashboardActions
          project={project}
          dashboard={dashboard}
          home={home}
          onRenamed={dashboards.reload}
          onRemoved={dashboards.reload}
        />
      ),
    },
  ]
}
