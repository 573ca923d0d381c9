import { useState } from 'preact/hooks'
import {
  deleteSubscription,
  listSubscriptions,
  type Subscription,
  updateSubscription,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../button.tsx'
import { Drawer } from '../dialog.tsx'
import { Confirm } from '../dialogs/asks.ts'
import { Empty } from '../empty.tsx'
import { Loaded } from '../loaded.tsx'
import { Menu } from '../menu.tsx'
import { TableSkeleton } from '../skeleton.tsx'
import { Switch } from '../switch.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toasts.tsx'
import { useAction } from '../use-action.ts'
import { type Subscribed, SubscriptionForm } from './subscription-form.tsx'
import { FREQUENCIES, SUBSCRIPTION_TEXTS as TEXTS, WEEKDAYS } from './subscription-texts.ts'

type SubscriptionsDrawerProps = {
  readonly project: number
  readonly to: Subscribed
  readonly onClose: () => void
}

const SUBSCRIPTIONS_MAX = 200

type View =
  | { readonly kind: 'list' }
  | { readonly kind: 'form'; readonly subscription: Subscription | undefined }
  | { readonly kind: 'remove'; readonly subscription: Subscription }

/** Subscriptions to an insight, to a dashboard or to the weekly summary: the list, and a form. */
export function SubscriptionsDrawer({ project, to, onClose }: SubscriptionsDrawerProps) {
  const [view, setView] = useState<View>({ kind: 'list' })
  const only =
    to.kind === 'insight'
      ? { insight_id: to.id }
      : to.kind === 'dashboard'
        ? { dashboard_id: to.id }
        : {}
  const all = useResource(`subscriptions ${project} ${JSON.stringify(to)}`, async (signal) => {
    const page = { project_id: project, ...only, limit: SUBSCRIPTIONS_MAX }
    const { results } = await listSubscriptions(client, page, { signal })
    return results.filter(({ kind }) => kind === to.kind)
  })
  const toList = () => {
    all.reload()
    setView({ kind: 'list' })
  }
  const isSummary = to.kind === 'summary'
  const make = (
    <Button
      tone="main"
      icon="plus"
      onClick={() => setView({ kind: 'form', subscription: undefined })}
    >
      {TEXTS.make}
    </Button>
  )
  return (
    <Drawer title={isSummary ? TEXTS.summaryTitle : TEXTS.title} onClose={onClose}>
      {view.kind === 'form' ? (
        <>
          <p>
            <Button tone="quiet" onClick={toList}>
              ← {TEXTS.back}
            </Button>
          </p>
          <SubscriptionForm
            project={project}
            to={to}
            subscription={view.subscription}
            onSaved={toList}
          />
        </>
      ) : (
        <Loaded
          of={all}
          skeleton={<TableSkeleton rows={3} />}
          isEmpty={(results) => results.length === 0}
          empty={
            <Empty title={TEXTS.none} action={make}>
              {isSummary ? TEXTS.noneSummary : TEXTS.noneText}
            </Empty>
          }
        >
          {(results) => (
            <>
              <p>{make}</p>
              <ul aria-label={TEXTS.list} style={LIST}>
                {results.map((subscription) => (
                  <Item
                    key={subscription.id}
                    project={project}
                    subscription={subscription}
                    onChanged={all.reload}
                    onView={(kind) => setView({ kind, subscription })}
                  />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      )}
      {view.kind === 'remove' && (
        <Remove project={project} id={view.subscription.id} onClose={toList} />
      )}
    </Drawer>
  )
}

/** Styled in place: a style sheet would load with the page. */
const LIST = {
  display: 'grid',
  gap: 'var(--space-4)',
  marginBlock: 'var(--space-4) 0',
  padding: 0,
  listStyle: 'none',
} as const
const ITEM = { paddingBlockEnd: 'var(--space-4)', borderBlockEnd: '1px solid var(--line)' } as const
const HEAD = { display: 'flex', alignItems: 'center', gap: 'var(--space-3)' } as const
const NAME = { flex: 1, overflowWrap: 'anywhere' } as const
const ADDRESSES = { padding: 0, margin: 0, listStyle: 'none', overflowWrap: 'anywhere' } as const

type ItemProps = {
  readonly project: number
  readonly subscription: Subscription
  readonly onChanged: () => void
  readonly onView: (kind: 'form' | 'remove') => void
}

function Item({ project, subscription, onChanged, onView }: ItemProps) {
  const { busy, run } = useAction()
  const { id, title, insight, dashboard, enabled, recipients, chat } = subscription
  const name = title || insight?.name || dashboard?.name || TEXTS.summaryTitle
  const enable = (isOn: boolean) =>
    run(async () => {
      await updateSubscription(client, { project_id: project, id, enabled: isOn })
      onChanged()
    })
  return (
    <li class="subscription-item" style={ITEM}>
      <div style={HEAD}>
        <strong style={NAME}>{name}</strong>
        <Switch label={TEXTS.enabled(name)} checked={enabled} busy={busy} onChange={enable} />
        <Menu
          label={TEXTS.more(name)}
          icon="more"
          items={[
            { label: TEXTS.edit, onSelect: () => onView('form') },
            { label: TEXTS.remove, onSelect: () => onView('remove') },
          ]}
        />
      </div>
      <p>
        {scheduleOf(subscription)}
        {subscription.next_send_at !== null && (
          <>
            {' · '}
            {TEXTS.next} <Time value={subscription.next_send_at} />
          </>
        )}
        {subscription.last_sent_at !== null && (
          <>
            {' · '}
            {TEXTS.last} <Time value={subscription.last_sent_at} as="ago" />
          </>
        )}
      </p>
      <ul style={ADDRESSES}>
        {recipients.map(({ email, state, reason }) => (
          <li key={email}>
            {email}
            {state !== 'active' && <span class="field-problem"> {reason ?? state}</span>}
          </li>
        ))}
        {chat && <li>{TEXTS.chat}</li>}
      </ul>
      {subscription.disabled_reason !== null && (
        <p class="field-problem">{subscription.disabled_reason}</p>
      )}
    </li>
  )
}

/** `every week, Monday, 09:00`. */
function scheduleOf(subscription: Subscription): string {
  const { frequency, day_of_week: weekday, day_of_month: monthday, time_of_day } = subscription
  const often = FREQUENCIES.find(({ value }) => value === frequency)?.label ?? frequency
  const day =
    frequency === 'weekly'
      ? WEEKDAYS[weekday - 1]?.label
      : frequency === 'monthly'
        ? String(monthday)
        : undefined
  return [often, day, time_of_day].filter(Boolean).join(', ')
}

type RemoveProps = {
  readonly project: number
  readonly id: string
  readonly onClose: () => void
}

function Remove({ project, id, onClose }: RemoveProps) {
  const { busy, failure, run } = useAction(true)
  return (
    <Confirm
      title={TEXTS.removeTitle}
      action={TEXTS.removeAction}
      busy={busy}
      onClose={onClose}
      problem={failure?.detail}
      onConfirm={() =>
        run(async () => {
          await deleteSubscription(client, { project_id: project, id })
          toast(TEXTS.removed)
          onClose()
        })
      }
    >
      <p>{TEXTS.removeText}</p>
    </Confirm>
  )
}
