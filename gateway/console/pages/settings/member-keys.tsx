import { useState } from 'preact/hooks'
import {
  listMemberKeys,
  type OrganizationMember,
  type PersonalApiKey,
  revokeMemberKey,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { sentenceOfScopes } from './scopes.ts'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type MemberKeysProps = { readonly of: OrganizationMember; readonly onClose: () => void }

/** Keys of a member for the organization, to remove them. */
export function MemberKeys({ of, onClose }: MemberKeysProps) {
  const { organization } = useProject()
  const [asked, setAsked] = useState<PersonalApiKey>()
  const { busy, run } = useAction()
  const place = { organization_id: organization, user: of.user?.uuid ?? of.id }
  const keys = useResource(`member-keys ${organization} ${of.id}`, (signal) =>
    listMemberKeys(client, place, { signal }),
  )
  const revoke = ({ id }: PersonalApiKey) =>
    run(async () => {
      await revokeMemberKey(client, { ...place, id })
      setAsked(undefined)
      toast(TEXTS.revoked)
      keys.reload()
    })
  return (
    <Drawer title={`${TEXTS.keysOf} ${of.user?.email ?? ''}`} onClose={onClose}>
      <Loaded
        of={keys}
        skeleton={<TableSkeleton rows={3} height={52} />}
        isEmpty={(all) => all.length === 0}
        empty={<Empty title={TEXTS.noKeys}>{TEXTS.noMemberKeys}</Empty>}
      >
        {(all) => (
          <ul class="settings-list">
            {all.map((key) => (
              <li key={key.id}>
                <div>
                  <strong>{key.label}</strong> <code>{key.mask_value}</code>
                  <span class="settings-under">{sentenceOfScopes(key.scopes)}</span>
                </div>
                <Button tone="danger" onClick={() => setAsked(key)}>
                  {TEXTS.revoke}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {asked !== undefined && (
        <Confirm
          title={TEXTS.revokeTitle}
          action={TEXTS.revokeAction}
          busy={busy}
          onConfirm={() => revoke(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            <strong>{asked.label}</strong>
          </p>
          <p>{TEXTS.revokeText}</p>
        </Confirm>
      )}
    </Drawer>
  )
}
