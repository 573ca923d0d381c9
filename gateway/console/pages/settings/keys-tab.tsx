import { useState } from 'preact/hooks'
import {
  deletePersonalApiKey,
  listPersonalApiKeys,
  type PersonalApiKey,
  rollPersonalApiKey,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/dialogs/asks.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Menu } from '../../kit/menu.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { useAction } from '../../kit/use-action.ts'
import { KeyForm } from './key-form.tsx'
import { ProjectKey } from './project-key.tsx'
import { sentenceOfScopes } from './scopes.ts'
import { ShownOnce } from './shown-once.tsx'
import { SETTINGS_TEXTS as TEXTS } from './texts.ts'

type Asked =
  | { readonly kind: 'form'; readonly key: PersonalApiKey | undefined }
  | { readonly kind: 'roll' | 'delete'; readonly key: PersonalApiKey }
  | { readonly kind: 'value'; readonly value: string }

export function KeysTab() {
  const [asked, setAsked] = useState<Asked>()
  const keys = useResource('personal-keys', (signal) => listPersonalApiKeys(client, { signal }))
  const make = (
    <Button tone="main" icon="plus" onClick={() => setAsked({ kind: 'form', key: undefined })}>
      {TEXTS.newKey}
    </Button>
  )
  const saved = ({ value }: PersonalApiKey) => {
    keys.reload()
    setAsked(value === undefined ? undefined : { kind: 'value', value })
  }
  const close = () => setAsked(undefined)
  return (
    <div class="settings-stack">
      <ProjectKey />
      <section class="settings-section" aria-labelledby="personal-keys">
        <header class="settings-head">
          <div>
            <h2 id="personal-keys">{TEXTS.personalKeys}</h2>
            <p class="settings-note">{TEXTS.personalKeysText}</p>
          </div>
          {make}
        </header>
        <Loaded
          of={keys}
          skeleton={<TableSkeleton rows={3} height={48} />}
          isEmpty={(all) => all.length === 0}
          empty={<Empty title={TEXTS.noKeys}>{TEXTS.noKeysText}</Empty>}
        >
          {(all) => (
            <Table
              caption={TEXTS.ownKeys}
              rows={all}
              keyOf={({ id }) => id}
              columns={columnsOf(setAsked)}
            />
          )}
        </Loaded>
      </section>
      {asked?.kind === 'form' && <KeyForm of={asked.key} onClose={close} onSaved={saved} />}
      {asked?.kind === 'value' && (
        <ShownOnce
          title={TEXTS.keyMade}
          what={TEXTS.key}
          value={asked.value}
          note={TEXTS.keyMadeText}
          onClose={close}
        />
      )}
      {(asked?.kind === 'roll' || asked?.kind === 'delete') && (
        <EndOfKey kind={asked.kind} of={asked.key} onClose={close} onDone={saved} />
      )}
    </div>
  )
}

function columnsOf(ask: (asked: Asked) => void): readonly Column<PersonalApiKey>[] {
  return [
    {
      key: 'label',
      title: TEXTS.label,
      cell: ({ label, mask_value: mask }) => (
        <>
          <strong>{label}</strong>
          <code class="settings-under">{mask}</code>
        </>
      ),
    },
    {
      key: 'scopes',
      isWide: true,
      title: TEXTS.may,
      cell: (key) => (
        <>
          {sentenceOfScopes(key.scopes)}
          {placeOf(key) !== '' && <span class="settings-under">{placeOf(key)}</span>}
        </>
      ),
    },
    {
      key: 'used',
      isWide: true,
      title: TEXTS.used,
      cell: ({ last_used_at: at }) => (at === null ? TEXTS.never : <Time value={at} />),
    },
    {
      key: 'end',
      title: TEXTS.expiry,
      cell: ({ expires_at: at }) => (at === null ? TEXTS.never : <Time value={at} />),
    },
    {
      key: 'more',
      title: TEXTS.actions,
      align: 'end',
      cell: (key) => (
        <Menu
          label={`${TEXTS.actions}: ${key.label}`}
          icon="more"
          tone="quiet"
          items={[
            { label: TEXTS.edit, onSelect: () => ask({ kind: 'form', key }) },
            { label: TEXTS.roll, onSelect: () => ask({ kind: 'roll', key }) },
            { label: TEXTS.remove, onSelect: () => ask({ kind: 'delete', key }) },
          ]}
        />
      ),
    },
  ]
}

function placeOf({ scoped_teams: teams, scoped_organizations: places }: PersonalApiKey): string {
  if (teams.length > 0) return `${TEXTS.onlyIn} ${teams.join(', ')}`
  return places.length > 0 ? `${TEXTS.onlyInOrganizations} ${places.length}` : ''
}

type EndProps = {
  readonly kind: 'roll' | 'delete'
  readonly of: PersonalApiKey
  readonly onClose: () => void
  readonly onDone: (key: PersonalApiKey) => void
}

/** Rolls or deletes a key: both end the value that programs use. */
function EndOfKey({ kind, of, onClose, onDone }: EndProps) {
  const { busy, run } = useAction()
  const words = TEXTS.ends[kind]
  const end = () =>
    run(async () => {
      if (kind === 'roll') return onDone(await rollPersonalApiKey(client, { id: of.id }))
      await deletePersonalApiKey(client, { id: of.id })
      toast(TEXTS.keyRemoved)
      onDone(of)
    })
  return (
    <Confirm {...words} busy={busy} onConfirm={end} onClose={onClose}>
      <p>
        <strong>{of.label}</strong>
      </p>
      <p>{TEXTS.stops}</p>
    </Confirm>
  )
}
