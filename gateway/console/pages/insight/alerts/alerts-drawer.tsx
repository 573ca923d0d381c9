import { useState } from 'preact/hooks'
import {
  type Alert,
  deleteAlert,
  listAlerts,
  type SavedInsight,
  updateAlert,
} from '../../../../client/index.ts'
import { client } from '../../../data/client.ts'
import { isRecord } from '../../../data/json.ts'
import { useResource } from '../../../data/resource.ts'
import { now } from '../../../data/timers.ts'
import { Button } from '../../../kit/button.tsx'
import { Drawer } from '../../../kit/dialog.tsx'
import { ConfirmDialog } from '../../../kit/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../kit/empty.tsx'
import { Loaded } from '../../../kit/loaded.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { TableSkeleton } from '../../../kit/skeleton.tsx'
import { Switch } from '../../../kit/switch.tsx'
import { Time } from '../../../kit/time.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { kindOf } from '../../../questions/question.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertHistory } from './alert-history.tsx'
import { AlertState, STYLES } from './state.tsx'
import { ALERT_TEXTS as TEXTS } from './texts.ts'

type AlertsDrawerProps = {
  readonly project: number
  readonly insight: SavedInsight
  readonly onClose: () => void
}

const ALERTS_MAX = 200
const DAY_MS = 86_400_000

type View =
  | { readonly kind: 'list' }
  | { readonly kind: 'form'; readonly alert: Alert | undefined }
  | { readonly kind: 'history' | 'remove'; readonly alert: Alert }

/** Alerts of an insight: the list, a form, and the history of one. */
export function AlertsDrawer({ project, insight, onClose }: AlertsDrawerProps) {
  const [view, setView] = useState<View>({ kind: 'list' })
  const alerts = useResource(`alerts ${project} ${insight.id}`, (signal) =>
    listAlerts(
      client,
      { project_id: project, insight_id: insight.id, limit: ALERTS_MAX },
      { signal },
    ),
  )
  const toList = () => setView({ kind: 'list' })
  const isTrends = isRecord(insight.query) && kindOf(insight.query) === 'TrendsQuery'
  const make = (
    <Button tone="main" icon="plus" onClick={() => setView({ kind: 'form', alert: undefined })}>
      {TEXTS.make}
    </Button>
  )
  return (
    <Drawer title={TEXTS.title} onClose={onClose}>
      {view.kind !== 'list' && (
        <p>
          <Button tone="quiet" onClick={toList}>
            ← {TEXTS.back}
          </Button>
        </p>
      )}
      {view.kind === 'form' && (
        <AlertForm
          project={project}
          insight={insight}
          alert={view.alert}
          onSaved={() => {
            alerts.reload()
            toList()
          }}
        />
      )}
      {view.kind === 'history' && <AlertHistory project={project} alert={view.alert} />}
      {(view.kind === 'list' || view.kind === 'remove') && (
        <Loaded
          of={alerts}
          skeleton={<TableSkeleton rows={3} />}
          isEmpty={({ results }) => results.length === 0}
          empty={
            <Empty title={TEXTS.none} action={isTrends && make}>
              {isTrends ? TEXTS.noneText : TEXTS.notTrends}
            </Empty>
          }
        >
          {({ results }) => (
            <>
              {isTrends && <p>{make}</p>}
              <ul class="alerts" style={STYLES.list} aria-label={TEXTS.list}>
                {results.map((alert) => (
                  <AlertItem
                    key={alert.id}
                    project={project}
                    alert={alert}
                    onChanged={alerts.reload}
                    onView={(kind) => setView({ kind, alert })}
                  />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
      {view.kind === 'remove' && (
        <RemoveDialog
          project={project}
          alert={view.alert}
          onClose={toList}
          onRemoved={alerts.reload}
        />
      )}
    </Drawer>
  )
}

type AlertItemProps = {
  readonly project: number
  readonly alert: Alert
  readonly onChanged: () => void
  readonly onView: (kind: 'form' | 'history' | 'remove') => void
}

function AlertItem({ project, alert, onChanged, onView }: AlertItemProps) {
  const { busy, run } = useAction()
  const one = { project_id: project, id: alert.id }
  const change = (fields: Pick<Parameters<typeof updateAlert>[1], 'enabled' | 'snoozed_until'>) =>
    run(async () => {
      await updateAlert(client, { ...one, ...fields })
      onChanged()
    })
  const isMuted = alert.snoozed_until !== null && Date.parse(alert.snoozed_until) > now()
  const name = alert.name || alert.insight?.name || alert.id
  const mutes = isMuted
    ? { label: TEXTS.unmute, onSelect: () => change({ snoozed_until: null }) }
    : {
        label: TEXTS.mute,
        onSelect: () => change({ snoozed_until: new Date(now() + DAY_MS).toISOString() }),
      }
  return (
    <li class="alert-item" style={STYLES.item}>
      <div style={STYLES.head}>
        <strong style={STYLES.name}>{name}</strong>
        <AlertState state={alert.enabled ? alert.state : TEXTS.disabled} />
        <Switch
          label={TEXTS.enabled(name)}
          checked={alert.enabled}
          busy={busy}
          onChange={(enabled) => change({ enabled })}
        />
        <Menu
          label={`${name}: ${TEXTS.checks}`}
          icon="more"
          items={[
            { label: TEXTS.checks, onSelect: () => onView('history') },
            { label: TEXTS.edit, onSelect: () => onView('form') },
            mutes,
            { label: TEXTS.remove, onSelect: () => onView('remove') },
          ]}
        />
      </div>
      <p style={STYLES.facts}>
        {alert.last_value !== null && (
          <span>
            {TEXTS.lastValue} {alert.last_value}
          </span>
        )}
        {alert.next_check_at !== null && (
          <span>
            {TEXTS.nextCheck} <Time value={alert.next_check_at} />
          </span>
        )}
        {isMuted && alert.snoozed_until !== null && (
          <span>
            {TEXTS.muted} <Time value={alert.snoozed_until} />
          </span>
        )}
      </p>
      {alert.disabled_reason !== null && <p class="field-problem">{alert.disabled_reason}</p>}
      {alert.webhook_disabled && <p class="field-problem">{TEXTS.webhookOff}</p>}
      {alert.webhook_error !== null && (
        <p class="field-problem">
          {TEXTS.webhookError} {alert.webhook_error}
        </p>
      )}
    </li>
  )
}

type RemoveDialogProps = {
  readonly project: number
  readonly alert: Alert
  readonly onClose: () => void
  readonly onRemoved: () => void
}

function RemoveDialog({ project, alert, onClose, onRemoved }: RemoveDialogProps) {
  const { busy, failure, run } = useAction(true)
  return (
    <ConfirmDialog
      title={TEXTS.removeTitle}
      action={TEXTS.removeAction}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      onConfirm={() =>
        run(async () => {
          await deleteAlert(client, { project_id: project, id: alert.id })
          toast(TEXTS.removed)
          onRemoved()
          onClose()
        })
      }
    >
      <p>{TEXTS.removeText}</p>
    </ConfirmDialog>
  )
}
