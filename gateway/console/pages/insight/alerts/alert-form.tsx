import { useState } from 'preact/hooks'
import {
  type Alert,
  createAlert,
  listOrganizationMembers,
  type SavedInsight,
  updateAlert,
} from '../../../../client/index.ts'
import { client } from '../../../data/client.ts'
import { isRecord } from '../../../data/json.ts'
import { useProject } from '../../../data/projects.ts'
import { useResource } from '../../../data/resource.ts'
import { Button } from '../../../kit/button.tsx'
import { FailureNote } from '../../../kit/failure.tsx'
import { Field, Select } from '../../../kit/field.tsx'
import { useAction } from '../../../kit/use-action.ts'
import { listIn, memberOf, textIn } from '../../../questions/question.ts'
import { canBeOngoing, type Draft, draftOf, membersOf, NEW_ALERT } from './draft.ts'
import { STYLES } from './state.tsx'
import { CHECK_INTERVALS, CONDITIONS, SENSITIVITIES, ALERT_TEXTS as TEXTS } from './texts.ts'

type AlertFormProps = {
  readonly project: number
  readonly insight: SavedInsight
  /** Undefined for a new one. */
  readonly alert: Alert | undefined
  readonly onSaved: () => void
}

type Change = (part: Partial<Draft>) => void
type PartProps = { readonly draft: Draft; readonly onChange: Change }

/** Form of an alert; shows the key of a new webhook afterwards. */
export function AlertForm({ project, insight, alert, onSaved }: AlertFormProps) {
  const [draft, setDraft] = useState(() => (alert === undefined ? NEW_ALERT : draftOf(alert)))
  const [secret, setSecret] = useState<string>()
  const { busy, failure, run } = useAction(true)
  const change: Change = (part) => setDraft((before) => ({ ...before, ...part }))
  if (secret !== undefined) return <Secret secret={secret} onDone={onSaved} />
  const save = async () => {
    const members = membersOf(draft, alert)
    const saved =
      alert === undefined
        ? await createAlert(client, {
            project_id: project,
            insight: insight.id,
            condition: {},
            ...members,
          })
        : await updateAlert(client, { project_id: project, id: alert.id, ...members })
    if (saved.webhook_secret === null) onSaved()
    else setSecret(saved.webhook_secret)
  }
  const part = { draft, onChange: change }
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
        value={draft.name}
        maxLength={255}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => change({ name: value })}
      />
      <Rule {...part} insight={insight} />
      <Select
        label={TEXTS.interval}
        options={CHECK_INTERVALS}
        value={draft.interval}
        onChange={({ currentTarget: { value } }) => change({ interval: value })}
      />
      <Users {...part} />
      <Check label={TEXTS.chat} checked={draft.chat} onChange={(chat) => change({ chat })} />
      <Field
        label={TEXTS.webhook}
        hint={TEXTS.webhookHint}
        type="url"
        value={draft.webhook}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => change({ webhook: value })}
      />
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

function Rule({ draft, onChange, insight }: PartProps & { readonly insight: SavedInsight }) {
  const isAnomaly = draft.condition === 'anomaly'
  const series = seriesOf(insight)
  return (
    <>
      {series.length > 1 && (
        <Select
          label={TEXTS.series}
          options={series}
          value={String(draft.series)}
          onChange={({ currentTarget: { value } }) => onChange({ series: Number(value) })}
        />
      )}
      <Select
        label={TEXTS.condition}
        options={CONDITIONS}
        value={draft.condition}
        onChange={({ currentTarget: { value } }) => onChange({ condition: value })}
      />
      {isAnomaly ? (
        <Select
          label={TEXTS.sensitivity}
          options={SENSITIVITIES}
          value={draft.sensitivity}
          onChange={({ currentTarget: { value } }) => onChange({ sensitivity: value })}
        />
      ) : (
        <Bounds draft={draft} onChange={onChange} />
      )}
    </>
  )
}

const UNITS = [
  { value: 'number', label: TEXTS.unitNumber },
  { value: 'percent', label: TEXTS.unitPercent },
] as const

function Bounds({ draft, onChange }: PartProps) {
  return (
    <>
      {draft.condition !== 'absolute_value' && (
        <Select
          label={TEXTS.unit}
          options={UNITS}
          value={draft.isShare ? 'percent' : 'number'}
          onChange={({ currentTarget: { value } }) => onChange({ isShare: value === 'percent' })}
        />
      )}
      <div class="alert-bounds" style={STYLES.bounds}>
        <Field
          label={TEXTS.lower}
          hint={TEXTS.boundsHint}
          type="number"
          step="any"
          value={draft.lower}
          onInput={({ currentTarget: { value } }) => onChange({ lower: value })}
        />
        <Field
          label={TEXTS.upper}
          type="number"
          step="any"
          value={draft.upper}
          onInput={({ currentTarget: { value } }) => onChange({ upper: value })}
        />
      </div>
      {canBeOngoing(draft) && (
        <Check
          label={TEXTS.ongoing}
          checked={draft.isOngoing}
          onChange={(isOngoing) => onChange({ isOngoing })}
        />
      )}
    </>
  )
}

const MEMBERS_MAX = 100

/** Members of the organization who get a mail. */
function Users({ draft, onChange }: PartProps) {
  const { organization } = useProject()
  const members = useResource(`members ${organization} ${MEMBERS_MAX}`, (signal) =>
    listOrganizationMembers(
      client,
      { organization_id: organization, limit: MEMBERS_MAX },
      { signal },
    ),
  )
  const users = members.data?.results.flatMap(({ user }) => (user === null ? [] : [user])) ?? []
  return (
    <fieldset class="alert-users" style={STYLES.users}>
      <legend class="field-label">{TEXTS.users}</legend>
      {members.error !== undefined && (
        <FailureNote error={members.error} onRetry={members.reload} />
      )}
      {users.map(({ id, first_name: name, email }) => (
        <Check
          key={id}
          label={name === '' ? email : `${name} (${email})`}
          checked={draft.users.includes(id)}
          onChange={(isOn) => {
            const others = draft.users.filter((each) => each !== id)
            onChange({ users: isOn ? [...others, id] : others })
          }}
        />
      ))}
    </fieldset>
  )
}

type CheckProps = {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label style={STYLES.check}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}

function Secret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <div class="form">
      <h3>{TEXTS.secretTitle}</h3>
      <p>{TEXTS.secretText}</p>
      <Field label={TEXTS.secretTitle} labelHidden value={secret} readOnly />
      <Button tone="main" onClick={onDone}>
        {TEXTS.done}
      </Button>
    </div>
  )
}

function seriesOf({ query }: SavedInsight) {
  const question = isRecord(query) ? query : {}
  if (textIn(memberOf(question, 'trendsFilter'), 'formula') !== '') return []
  return listIn(question, 'series').map((series, index) => {
    const one = isRecord(series) ? series : {}
    const name = textIn(one, 'custom_name') || textIn(one, 'name') || textIn(one, 'event')
    return { value: String(index), label: `${index + 1}. ${name}` }
  })
}
