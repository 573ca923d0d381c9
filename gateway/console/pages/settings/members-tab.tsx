import { useState } from 'preact/hooks'
import {
  listOrganizationMembers,
  type OrganizationMember,
  removeOrganizationMember,
  updateOrganizationMember,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { sessionState } from '../../data/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Menu } from '../../kit/menu.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { InviteUser } from './invite-user.tsx'
import { ADMINISTRATOR, LEVELS, nameOfLevel, OWNER } from './levels.ts'
import { MemberKeys } from './member-keys.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

const MEMBERS_SHOWN = 100

type Asked =
  | { readonly kind: 'remove' | 'keys'; readonly member: OrganizationMember }
  | { readonly kind: 'owner'; readonly member: OrganizationMember }

/** Members of the project's organization, and their levels. */
export function MembersTab() {
  const { organization } = useProject()
  const [asked, setAsked] = useState<Asked>()
  const [limit, setLimit] = useState(MEMBERS_SHOWN)
  const { busy, run } = useAction()
  const members = useResource(`members ${organization} ${limit}`, (signal) =>
    listOrganizationMembers(client, { organization_id: organization, limit }, { signal }),
  )
  const state = sessionState.value
  const me = 'session' in state ? state.session.user.id : undefined
  const own = members.data?.results.find(({ user }) => user?.id === me)?.level ?? 1
  const place = (member: OrganizationMember) => ({
    organization_id: organization,
    user: member.user?.uuid ?? member.id,
  })
  const change = (work: () => Promise<unknown>, done: string) =>
    run(async () => {
      await work()
      toast(done)
      setAsked(undefined)
      members.reload()
    })
  const level = (member: OrganizationMember, next: number) =>
    next === OWNER && asked === undefined
      ? setAsked({ kind: 'owner', member })
      : change(
          () => updateOrganizationMember(client, { ...place(member), level: next }),
          TEXTS.levelChanged,
        )
  return (
    <Loaded of={members} skeleton={<TableSkeleton rows={5} height={52} />}>
      {({ results, count }) => (
        <div class="settings-section">
          <header class="settings-head">
            <p class="settings-note">{TEXTS.membersText}</p>
            <InviteUser />
          </header>
          <Table
            caption={TEXTS.members}
            rows={results}
            keyOf={({ id }) => id}
            columns={columnsOf({ me, own, onLevel: level, ask: setAsked })}
          />
          {count > results.length && (
            <Button onClick={() => setLimit(limit + MEMBERS_SHOWN)}>{TEXTS.more}</Button>
          )}
          {asked?.kind === 'keys' && (
            <MemberKeys of={asked.member} onClose={() => setAsked(undefined)} />
          )}
          {(asked?.kind === 'remove' || asked?.kind === 'owner') && (
            <Confirm
              {...(asked.kind === 'owner' ? TEXTS.makesOwner : TEXTS.removesMember)}
              busy={busy}
              onClose={() => setAsked(undefined)}
              onConfirm={() => {
                const { kind, member } = asked
                if (kind === 'owner') level(member, OWNER)
                else
                  change(() => removeOrganizationMember(client, place(member)), TEXTS.memberRemoved)
              }}
            >
              <p>
                <strong>{asked.member.user?.email}</strong>
              </p>
              <p>{asked.kind === 'owner' ? TEXTS.ownerText : TEXTS.removeText}</p>
            </Confirm>
          )}
        </div>
      )}
    </Loaded>
  )
}

type MemberActions = {
  readonly me: number | undefined
  /** Level of the signed-in user. */
  readonly own: number
  readonly onLevel: (member: OrganizationMember, level: number) => void
  readonly ask: (asked: Asked) => void
}

function columnsOf({
  me,
  own,
  onLevel,
  ask,
}: MemberActions): readonly Column<OrganizationMember>[] {
  // Administrators can change others up to their own level, never themselves.
  const isBelow = ({ user, level }: OrganizationMember) =>
    own >= ADMINISTRATOR && user?.id !== me && level <= own
  return [
    {
      key: 'user',
      title: TEXTS.member,
      cell: ({ user, is_active: isActive, is_email_verified: isVerified }) => (
        <>
          <strong>{user?.first_name || user?.email}</strong>
          {user?.id === me && ` (${TEXTS.you})`}
          <span class="settings-under">
            {[
              user?.first_name && user.email,
              !isActive && TEXTS.inactive,
              !isVerified && TEXTS.unverified,
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </>
      ),
    },
    {
      key: 'level',
      title: TEXTS.level,
      cell: (member) =>
        isBelow(member) ? (
          <Select
            label={`${TEXTS.level}: ${member.user?.email}`}
            labelHidden
            value={String(member.level)}
            options={levelsUpTo(own)}
            onChange={(event) => {
              const { value } = event.currentTarget
              // The select shows the stored level until the change is saved.
              event.currentTarget.value = String(member.level)
              onLevel(member, Number(value))
            }}
          />
        ) : (
          nameOfLevel(member.level)
        ),
    },
    {
      key: 'at',
      isWide: true,
      title: TEXTS.joined,
      cell: ({ joined_at: at }) => <Time value={at} />,
    },
    {
      key: 'more',
      title: TEXTS.actions,
      align: 'end',
      cell: (member) => (
        <MemberMenu member={member} me={me} own={own} ask={ask} isBelow={isBelow(member)} />
      ),
    },
  ]
}

type MemberMenuProps = Pick<MemberActions, 'me' | 'own' | 'ask'> & {
  readonly member: OrganizationMember
  readonly isBelow: boolean
}

function MemberMenu({ member, me, own, ask, isBelow }: MemberMenuProps) {
  const isMe = member.user?.id === me
  const items = []
  if (own >= ADMINISTRATOR) {
    items.push({ label: TEXTS.showKeys, onSelect: () => ask({ kind: 'keys', member }) })
  }
  if ((isMe && own < OWNER) || isBelow) {
    const label = isMe ? TEXTS.leave : TEXTS.remove
    items.push({ label, onSelect: () => ask({ kind: 'remove', member }) })
  }
  if (items.length === 0) return null
  const label = `${TEXTS.actions}: ${member.user?.email}`
  return <Menu label={label} icon="more" tone="quiet" items={items} />
}

/** Levels that the user may grant: up to their own. */
function levelsUpTo(own: number) {
  return LEVELS.filter(({ value }) => Number(value) <= own)
}
