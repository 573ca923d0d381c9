import { useState } from 'preact/hooks'
import {
  type DashboardSummary,
  deleteDashboard,
  getProject,
  updateDashboard,
  updateProject,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Confirm, NameDialog } from '../../kit/dialogs/asks.ts'
import { Menu, type MenuItem } from '../../kit/menu.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { DASHBOARDS_TEXTS as TEXTS } from './texts.ts'

/** The dashboard that is shown first; null for none, undefined until it is known. */
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
  /** Further ones, above. */
  readonly items?: readonly MenuItem[]
}

/** What is done with a dashboard as a whole. */
export function DashboardActions(props: DashboardActionsProps) {
  const { project, dashboard, home, onRenamed, onRemoved, items = [] } = props
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const { busy, failure, run } = useAction(true)
  const close = () => setAsked(undefined)
  const one = { project_id: project, id: dashboard.id }
  const isHome = home.data === dashboard.id
  const remove = async () => {
    await deleteDashboard(client, one)
    close()
    toast(TEXTS.removed)
    onRemoved()
  }
  return (
    <>
      <Menu
        {...{ label: `${TEXTS.more} ${dashboard.name}`, icon: 'more', tone: 'quiet' }}
        items={[
          ...items,
          { label: TEXTS.rename, onSelect: () => setAsked('rename') },
          {
            label: isHome ? TEXTS.noHome : TEXTS.makeHome,
            onSelect: () => void setHome(project, isHome ? null : dashboard.id, home),
          },
          { label: TEXTS.remove, onSelect: () => setAsked('delete') },
        ]}
      />
      {asked === 'rename' && (
        <NameDialog
          {...{ title: TEXTS.renameTitle, label: TEXTS.name, action: TEXTS.renameAction }}
          {...{ value: dashboard.name, onClose: close }}
          onSubmit={async (name) => {
            await updateDashboard(client, { ...one, name })
            close()
            onRenamed(name)
          }}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          {...{ title: TEXTS.removeTitle, action: TEXTS.removeAction, busy, onClose: close }}
          {...{ problem: failure?.detail, onConfirm: () => run(remove) }}
        >
          <p>{TEXTS.removeText}</p>
        </Confirm>
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
