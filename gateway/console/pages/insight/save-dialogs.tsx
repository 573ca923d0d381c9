import { navigate } from 'wouter-preact/use-browser-location'
import {
  createSavedInsight,
  deleteSavedInsight,
  type JsonObject,
  type SavedInsight,
  updateSavedInsight,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx'
import { NameDialog } from '../../kit/dialogs/name-dialog.tsx'
import { later } from '../../kit/later.tsx'
import { Share } from '../../kit/sharing/share.ts'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { AddToDashboard } from './add-to-dashboard.tsx'
import type { Asked } from './asked.ts'
import { DIALOG_TEXTS as TEXTS } from './dialog-texts.ts'

const AlertsDrawer = later(async () => (await import('./alerts/alerts-drawer.tsx')).AlertsDrawer)
const SubscriptionsDrawer = later(
  async () => (await import('../../kit/drawers/subscriptions-drawer.tsx')).SubscriptionsDrawer,
)

type SaveDialogsProps = {
  readonly project: number
  readonly question: JsonObject
  readonly insight: SavedInsight | undefined
  readonly asked: Asked
  readonly onSaved: (insight: SavedInsight) => void
  readonly onClose: () => void
}

/** Dialogs of the actions on an insight. */
export function SaveDialogs(props: SaveDialogsProps) {
  const { project, question, insight, asked, onSaved, onClose } = props
  const { busy, failure, run } = useAction(true)
  if (insight === undefined || asked === 'save') {
    return (
      <NameDialog
        title={TEXTS.saveTitle}
        label={TEXTS.name}
        action={TEXTS.saveAction}
        onClose={onClose}
        onSubmit={async (name) => {
          const made = { project_id: project, name, query: question }
          const { short_id: shortId } = await createSavedInsight(client, made)
          onClose()
          toast(TEXTS.saved)
          navigate(`/project/${project}/insights/${shortId}`)
        }}
      />
    )
  }
  const one = { project_id: project, id: insight.short_id }
  if (asked === 'alerts')
    return <AlertsDrawer project={project} insight={insight} onClose={onClose} />
  if (asked === 'share')
    return <Share of={{ kind: 'insight', insight: insight.id }} onClose={onClose} />
  if (asked === 'subscribe') {
    const to = { kind: 'insight', id: insight.id } as const
    return <SubscriptionsDrawer project={project} to={to} onClose={onClose} />
  }
  if (asked === 'dashboard')
    return <AddToDashboard project={project} insight={insight} onClose={onClose} />
  if (asked === 'rename') {
    return (
      <NameDialog
        title={TEXTS.renameTitle}
        label={TEXTS.name}
        value={insight.name}
        onClose={onClose}
        action={TEXTS.renameAction}
        onSubmit={async (name) => {
          onSaved(await updateSavedInsight(client, { ...one, name }))
          onClose()
        }}
      />
    )
  }
  const remove = async () => {
    await deleteSavedInsight(client, one)
    onClose()
    toast(TEXTS.removed)
    navigate(`/project/${project}/insights`)
  }
  return (
    <ConfirmDialog
      title={TEXTS.removeTitle}
      action={TEXTS.removeAction}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      onConfirm={() => run(remove)}
    >
      <p>{TEXTS.removeText}</p>
    </ConfirmDialog>
  )
}
