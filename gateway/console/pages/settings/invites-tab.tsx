import { useState } from 'preact/hooks'
import { deleteInvite, type Invite, listInvites } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { InviteUser } from './invite-user.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

const INVITES_SHOWN = 100

/** Open invitations, and new ones. */
export function InvitesTab() {
  const { organization } = useProject()
  const [limit, setLimit] = useState(INVITES_SHOWN)
  const place = { parent_lookup_organization_id: organization }
  const invites = useResource(`invites ${organization} ${limit}`, (signal) =>
    listInvites(client, { ...place, limit }, { signal }),
  )
  const make = <InviteUser onMade={invites.reload} />
  return (
    <div class="settings-section">
      <header class="settings-head">
        <p class="settings-note">{TEXTS.invitesText}</p>
        {(invites.data?.count ?? 0) > 0 && make}
      </header>
      <Loaded
        of={invites}
        skeleton={<TableSkeleton rows={3} height={48} />}
        isEmpty={({ count }) => count === 0}
        empty={
          <Empty title={TEXTS.noInvites} action={make}>
            {TEXTS.noInvitesText}
          </Empty>
        }
      >
        {({ results, count }) => (
          <>
            <InviteTable invites={results} resource={invites} />
            {count > results.length && (
              <Button onClick={() => setLimit(limit + INVITES_SHOWN)}>{TEXTS.more}</Button>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

type InviteTableProps = {
  readonly invites: readonly Invite[]
  readonly resource: Resource<unknown>
}

function InviteTable({ invites, resource }: InviteTableProps) {
  const { organization } = useProject()
  const [asked, setAsked] = useState<Invite>()
  const { busy, run } = useAction()
  const takeBack = ({ id }: Invite) =>
    run(async () => {
      await deleteInvite(client, { parent_lookup_organization_id: organization, id })
      setAsked(undefined)
      toast(TEXTS.takenBack)
      resource.reload()
    })
  const columns: readonly Column<Invite>[] = [
    {
      key: 'who',
      title: TEXTS.invited,
      cell: ({ target_email: email, first_name: name }) => (
        <>
          <strong>{email}</strong>
          {name !== '' && <span class="settings-under">{name}</span>}
        </>
      ),
    },
    {
      key: 'by',
      isWide: true,
      title: TEXTS.by,
      cell: ({ created_by: user }) => user?.email ?? TEXTS.gone,
    },
    {
      key: 'at',
      isWide: true,
      title: TEXTS.since,
      cell: ({ created_at: at }) => <Time value={at} />,
    },
    {
      key: 'state',
      title: TEXTS.state,
      cell: ({ is_expired: isOver, emailing_attempt_made: isSent }) =>
        isOver ? TEXTS.expired : isSent ? TEXTS.sent : TEXTS.open,
    },
    {
      key: 'more',
      title: TEXTS.actions,
      align: 'end',
      cell: (invite) => <Button onClick={() => setAsked(invite)}>{TEXTS.takeBack}</Button>,
    },
  ]
  return (
    <>
      <Table caption={TEXTS.invites} rows={invites} keyOf={({ id }) => id} columns={columns} />
      {asked !== undefined && (
        <Confirm
          title={TEXTS.takeBackTitle}
          action={TEXTS.takeBackAction}
          busy={busy}
          onConfirm={() => takeBack(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <strong>{asked.target_email}</strong>
          </p>
          <p>{TEXTS.takeBackText}</p>
        </Confirm>
      )}
    </>
  )
}
