import { useState } from 'preact/hooks'
import { createSubscription, type Subscription, updateSubscription } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { Button } from '../button.tsx'
import { Field, Select, TextArea } from '../field.tsx'
import { toast } from '../toasts.tsx'
import { useAction } from '../use-action.ts'
import { FREQUENCIES, SUBSCRIPTION_TEXTS as TEXTS, WEEKDAYS } from './subscription-texts.ts'

/** The object of subscriptions. */
export type Subscribed =
  | { readonly kind: 'insight'; readonly id: number }
  | { readonly kind: 'dashboard'; readonly id: number }
  | { readonly kind: 'summary' }

type SubscriptionFormProps = {
  readonly project: number
  readonly to: Subscribed
  /** Undefined for a new one. */
  readonly subscription: Subscription | undefined
  readonly onSaved: () => void
}

/** Form of a subscription. */
export function SubscriptionForm({ project, to, subscription, onSaved }: SubscriptionFormProps) {
  const [draft, setDraft] = useState(() => ({
    title: subscription?.title ?? '',
    frequency: subscription?.frequency ?? 'weekly',
    weekday: String(subscription?.day_of_week ?? 1),
    monthday: String(subscription?.day_of_month ?? 1),
    time: subscription?.time_of_day ?? '09:00',
    recipients: (subscription?.recipients ?? []).map(({ email }) => email).join('\n'),
    chat: subscription?.chat ?? false,
  }))
  const { busy, failure, run } = useAction(true)
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const save = async () => {
    const members = {
      title: draft.title,
      frequency: FREQUENCIES.find(({ value }) => value === draft.frequency)?.value ?? 'weekly',
      day_of_week: Number(draft.weekday),
      day_of_month: Number(draft.monthday),
      time_of_day: draft.time,
      recipients: draft.recipients.split(/[\s,;]+/).filter((each) => each !== ''),
      chat: draft.chat,
    }
    if (subscription !== undefined) {
      await updateSubscription(client, { project_id: project, id: subscription.id, ...members })
    } else {
      const object = to.kind === 'summary' ? {} : { [to.kind]: to.id }
      await createSubscription(client, {
        project_id: project,
        kind: to.kind,
        ...object,
        ...members,
      })
    }
    toast(TEXTS.saved)
    onSaved()
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        run(save)
      }}
    >
      <Field
        label={TEXTS.name}
        hint={TEXTS.nameHint}
        value={draft.title}
        maxLength={255}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => change({ title: value })}
      />
      {to.kind !== 'summary' && (
        <Select
          label={TEXTS.frequency}
          options={FREQUENCIES}
          value={draft.frequency}
          onChange={({ currentTarget: { value } }) => change({ frequency: value })}
        />
      )}
      {draft.frequency === 'weekly' && (
        <Select
          label={TEXTS.weekday}
          options={WEEKDAYS}
          value={draft.weekday}
          onChange={({ currentTarget: { value } }) => change({ weekday: value })}
        />
      )}
      {draft.frequency === 'monthly' && (
        <Field
          label={TEXTS.monthday}
          hint={TEXTS.monthdayHint}
          type="number"
          min={1}
          max={31}
          required
          value={draft.monthday}
          onInput={({ currentTarget: { value } }) => change({ monthday: value })}
        />
      )}
      <Field
        label={TEXTS.time}
        type="time"
        required
        value={draft.time}
        onInput={({ currentTarget: { value } }) => change({ time: value })}
      />
      <TextArea
        label={TEXTS.recipients}
        hint={TEXTS.recipientsHint}
        rows={4}
        value={draft.recipients}
        onInput={({ currentTarget: { value } }) => change({ recipients: value })}
      />
      <label style={{ display: 'flex', gap: 'var(--space-2)' }}>
        <input
          type="checkbox"
          checked={draft.chat}
          onChange={({ currentTarget: { checked } }) => change({ chat: checked })}
        />
        {TEXTS.chat}
      </label>
      {failure !== undefined && (
        <p class="field-problem" role="alert">
          {failure.detail}
        </p>
      )}
      <Button tone="main" type="submit" busy={busy}>
        {TEXTS.save}
      </Button>
    </form>
  )
}
