import { useState } from 'preact/hooks'
import {
  endSession,
  getMe,
  listSessions,
  type UserSession,
  updateMe,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Empty } from '../../kit/empty.tsx'
import { Field } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { ACCOUNT_TEXTS as TEXTS } from './account-texts.ts'

type Sessions = readonly UserSession[]

/** Password and sessions of the user. */
export function AccountTab() {
  const me = useResource('account', (signal) => getMe(client, { signal }))
  const sessions = useResource('account sessions', (signal) => listSessions(client, { signal }))
  return (
    <div class="settings-stack">
      <Loaded of={me} skeleton={<TableSkeleton rows={4} height={52} />}>
        {({ has_password: hasPassword, email }) => (
          <PasswordForm
            hasPassword={hasPassword}
            email={email}
            onChanged={() => {
              me.reload()
              sessions.reload()
            }}
          />
        )}
      </Loaded>
      <section class="settings-section">
        <h2>{TEXTS.sessions}</h2>
        <p class="settings-note">{TEXTS.sessionsText}</p>
        <Loaded
          of={sessions}
          skeleton={<TableSkeleton rows={3} height={52} />}
          isEmpty={(all) => all.length === 0}
          empty={<Empty title={TEXTS.noSessions}>{TEXTS.noSessionsText}</Empty>}
        >
          {(all) => <SessionTable sessions={all} resource={sessions} />}
        </Loaded>
      </section>
    </div>
  )
}

type PasswordFormProps = {
  readonly hasPassword: boolean
  readonly email: string
  readonly onChanged: () => void
}

function PasswordForm({ hasPassword, email, onChanged }: PasswordFormProps) {
  const { busy, failure, run } = useAction(true)
  const send = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const password = String(data.get('password') ?? '')
    const current = hasPassword ? { current_password: String(data.get('current') ?? '') } : {}
    run(async () => {
      await updateMe(client, { password, ...current })
      form.reset()
      toast(TEXTS.changed)
      onChanged()
    })
  }
  const problemOf = (attr: string | null) =>
    failure !== undefined && failure.attr === attr ? failure.detail : undefined
  const general = problemOf(null)
  return (
    <form
      class="settings-card settings-form settings-narrow"
      onSubmit={(event) => {
        event.preventDefault()
        send(event.currentTarget)
      }}
    >
      <h2>{TEXTS.password}</h2>
      <p class="settings-note">{hasPassword ? TEXTS.text : TEXTS.none}</p>
      {/* Tells a password manager whose password it is. */}
      <input type="email" name="username" autocomplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <Field
          label={TEXTS.current}
          name="current"
          type="password"
          required
          autocomplete="current-password"
          problem={problemOf('current_password')}
        />
      )}
      <Field
        label={TEXTS.next}
        name="password"
        type="password"
        required
        autocomplete="new-password"
        minLength={8}
        maxLength={128}
        hint={TEXTS.hint}
        problem={problemOf('password')}
      />
      {general !== undefined && (
        <p class="field-problem" role="alert">
          {general}
        </p>
      )}
      <Button tone="main" type="submit" busy={busy}>
        {hasPassword ? TEXTS.change : TEXTS.set}
      </Button>
    </form>
  )
}

type SessionTableProps = { readonly sessions: Sessions; readonly resource: Resource<Sessions> }

function SessionTable({ sessions, resource }: SessionTableProps) {
  const [asked, setAsked] = useState<UserSession>()
  const { busy, run } = useAction()
  const end = ({ id }: UserSession) =>
    run(async () => {
      await endSession(client, { id })
      setAsked(undefined)
      toast(TEXTS.ended)
      resource.reload()
    })
  const columns: readonly Column<UserSession>[] = [
    {
      key: 'agent',
      title: TEXTS.browser,
      cell: ({ agent, is_current: isCurrent }) => (
        <>
          <span title={agent}>{deviceOf(agent) ?? TEXTS.unnamed}</span>
          {isCurrent && <strong class="settings-under">{TEXTS.here}</strong>}
        </>
      ),
    },
    {
      key: 'began',
      isWide: true,
      title: TEXTS.began,
      cell: ({ created_at: at }) => <Time value={at} />,
    },
    { key: 'seen', title: TEXTS.seen, cell: ({ last_seen_at: at }) => <Time value={at} /> },
    {
      key: 'ends',
      isWide: true,
      title: TEXTS.ends,
      cell: ({ expires_at: at }) => <Time value={at} />,
    },
    {
      key: 'end',
      title: TEXTS.end,
      align: 'end',
      // The current session is ended by signing out.
      cell: (session) =>
        session.is_current ? null : (
          <Button tone="danger" onClick={() => setAsked(session)}>
            {TEXTS.end}
          </Button>
        ),
    },
  ]
  return (
    <>
      <Table caption={TEXTS.sessions} columns={columns} rows={sessions} keyOf={({ id }) => id} />
      {asked !== undefined && (
        <Confirm
          title={TEXTS.endTitle}
          action={TEXTS.endAction}
          busy={busy}
          onConfirm={() => end(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <strong>{deviceOf(asked.agent) ?? TEXTS.unnamed}</strong>
          </p>
          <p>{TEXTS.endText}</p>
        </Confirm>
      )}
    </>
  )
}

/** In the order in which they are looked for: Edge says Chrome too, and Chrome says Safari. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Chrome on Linux`; other programs as they name themselves. */
function deviceOf(agent: string): string | undefined {
  const find = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([sign]) => agent.includes(sign))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser === undefined) return agent === '' ? undefined : agent
  return system === undefined ? browser : `${browser} on ${system}`
}
