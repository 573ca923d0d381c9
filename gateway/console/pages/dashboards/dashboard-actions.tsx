import { useState } from 'preact/hooks'
import { type DashboardSummary, getProject, updateProject } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { later } from '../../kit/later.tsx'
import { Menu, type MenuItem } from '../../kit/menu.tsx'
import { Share } from '../../kit/sharing/share.ts'
import { toast } from '../../kit/toasts.tsx'
import { DASHBOARDS_TEXTS as TEXTS } from './texts.ts'

const DashboardDialogs = later(
  async () => (await import('./dashboard-dialogs.tsx')).DashboardDialogs,
)

/** The project's home dashboard; null for none, undefined until it is known. */
export type Home = Resource<number | null>

export function useHome(project: number): Home {
  return useResource(`home-dashboard ${project}`, async (signal) => {
    const found = await getProject(client, { id: project }, { signal })
    return found.primary_dashboard
  })
}

type DashboardActionsProps = {
  readonly project: number
  readonly dashboard: Pick<DashboardSummary, 'id' | 'name'>
  readonly home: Home
  readonly onRenamed: (name: string) => void
  readonly onRemoved: () => void
  /** Further items, above the others. */
  readonly items?: readonly MenuItem[]
}

/** Actions on a dashboard as a whole. */
export function DashboardActions(props: DashboardActionsProps) {
  const { project, dashboard, home, onRenamed, onRemoved, items = [] } = props
  const [asked, setAsked] = useState<'rename' | 'delete' | 'share'>()
  const close = () => setAsked(undefined)
  const isHome = home.data === dashboard.id
  return (
    <>
      <Menu
        label={`${TEXTS.more} ${dashboard.name}`}
        icon="more"
        tone="quiet"
        items={[
          ...items,
          { label: TEXTS.share, onSelect: () => setAsked('share') },
          { label: TEXTS.rename, onSelect: () => setAsked('rename') },
          {
            label: isHome ? TEXTS.noHome : TEXTS.makeHome,
            onSelect: () => void setHome(project, isHome ? null : dashboard.id, home),
          },
          { label: TEXTS.remove, onSelect: () => setAsked('delete') },
        ]}
      />
      {asked === 'share' && (
        <Share of={{ kind: 'dashboard', dashboard: dashboard.id }} onClose={close} />
      )}
      {asked !== undefined && asked !== 'share' && (
        <DashboardDialogs
          project={project}
          dashboard={dashboard}
          asked={asked}
          onRenamed={onRenamed}
          onRemoved={onRemoved}
          onClose={close}
        />
      )}
    </>
  )
}

async function setHome(project: number, dashboard: number | null, home: Home): Promise<void> {
  try {
    const changed = await updateProject(client, { id: project, primary_dashboard: dashboard })
    home.set(changed.primary_dashboard)
    toast(dashboard === null ? TEXTS.homeTaken : TEXTS.homeMade)
  } catch (error) {
    toast(failureOf(error).detail, { tone: 'bad' })
  }
}
