import { type DashboardSummary, deleteDashboard, updateDashboard } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { Confirm, NameDialog } from '../../kit/dialogs/asks.ts'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

type DashboardDialogsProps = {
  readonly project: number
  readonly dashboard: Pick<DashboardSummary, 'id' | 'name'>
  readonly asked: 'rename' | 'delete'
  readonly onRenamed: (name: string) => void
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Renames or deletes a dashboard. */
export function DashboardDialogs(props: DashboardDialogsProps) {
  const { project, dashboard, asked, onRenamed, onRemoved, onClose } = props
  const { busy, failure, run } = useAction(true)
  const one = { project_id: project, id: dashboard.id }
  if (asked === 'rename') {
    return (
      <NameDialog
        title={TEXTS.renameTitle}
        label={TEXTS.name}
        action={TEXTS.renameAction}
        value={dashboard.name}
        onClose={onClose}
        onSubmit={async (name) => {
          await updateDashboard(client, { ...one, name })
          onClose()
          onRenamed(name)
        }}
      />
    )
  }
  const remove = async () => {
    await deleteDashboard(client, one)
    onClose()
    toast(TEXTS.removed)
    onRemoved()
  }
  return (
    <Confirm
      title={TEXTS.removeTitle}
      action={TEXTS.removeAction}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      onConfirm={() => run(remove)}
    >
      <p>{TEXTS.removeText}</p>
    </Confirm>
  )
}
