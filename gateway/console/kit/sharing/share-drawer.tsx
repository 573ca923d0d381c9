import { useState } from 'preact/hooks'
import {
  deleteSharedLink,
  listSharedLinks,
  type SharedLink,
  updateSharedLink,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { Button } from '../button.tsx'
import { Drawer } from '../dialog.tsx'
import { Confirm } from '../dialogs/asks.ts'
import { Loaded } from '../loaded.tsx'
import { Menu } from '../menu.tsx'
import { TableSkeleton } from '../skeleton.tsx'
import { Switch } from '../switch.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toasts.tsx'
import { useAction } from '../use-action.ts'
import { LinkForm } from './link-form.tsx'
import type { Shared } from './subject.ts'
import { SHARE_TEXTS as TEXTS } from './texts.ts'

type ShareDrawerProps = { readonly of: Shared; readonly onClose: () => void }

const LINKS_MAX = 200

/** Looks of the list. A style sheet would load with the page. */
const STYLES = {
  list: { display: 'grid', gap: 'var(--space-4)', padding: 0, listStyle: 'none' },
  item: { paddingBlockEnd: 'var(--space-4)', borderBlockEnd: '1px solid var(--line)' },
  head: { display: 'flex', alignItems: 'center', gap: 'var(--space-3)' },
  name: { flex: 1, overflowWrap: 'anywhere' },
  facts: { display: 'flex', flexWrap: 'wrap', gap: 'var(--space-1) var(--space-4)' },
} as const

type View = { readonly kind: 'list' | 'form' | 'revoke'; readonly link?: SharedLink }

/** Links to a page: the list, and a form. */
export function ShareDrawer({ of, onClose }: ShareDrawerProps) {
  const { id: project } = useProject()
  const [view, setView] = useState<View>({ kind: 'list' })
  const page = {
    project_id: project,
    kind: of.kind,
    limit: LINKS_MAX,
    ...(of.insight === undefined ? {} : { insight_id: of.insight }),
    ...(of.dashboard === undefined ? {} : { dashboard_id: of.dashboard }),
  }
  const links = useResource(`links ${JSON.stringify(page)}`, (signal) =>
    listSharedLinks(client, page, { signal }),
  )
  const toList = () => setView({ kind: 'list' })
  const changed = () => {
    links.reload()
    toList()
  }
  return (
    <Drawer title={TEXTS.title} onClose={onClose}>
      {view.kind === 'form' ? (
        <>
          <p>
            <Button tone="quiet" onClick={toList}>
              ← {TEXTS.back}
            </Button>
          </p>
          <LinkForm of={of} link={view.link} onDone={changed} />
        </>
      ) : (
        <>
          <p>{TEXTS.intro}</p>
          {of.kind === 'web' && <p>{TEXTS.introWeb}</p>}
          <p>
            <Button tone="main" icon="plus" onClick={() => setView({ kind: 'form' })}>
              {TEXTS.make}
            </Button>
          </p>
          <Loaded
            of={links}
            skeleton={<TableSkeleton rows={3} />}
            isEmpty={({ results }) => results.length === 0}
            empty={<p class="page-note">{TEXTS.none}</p>}
          >
            {({ results }) => (
              <ul style={STYLES.list} aria-label={TEXTS.list}>
                {results.map((link) => (
                  <LinkItem
                    key={link.id}
                    link={link}
                    onChanged={links.reload}
                    onView={(kind) => setView({ kind, link })}
                  />
                ))}
              </ul>
            )}
          </Loaded>
        </>
      )}
      {view.kind === 'revoke' && view.link !== undefined && (
        <Revoke link={view.link} onClose={toList} onDone={changed} />
      )}
    </Drawer>
  )
}

type LinkItemProps = {
  readonly link: SharedLink
  readonly onChanged: () => void
  readonly onView: (kind: 'form' | 'revoke') => void
}

function LinkItem({ link, onChanged, onView }: LinkItemProps) {
  const { id: project } = useProject()
  const { busy, run } = useAction()
  const name = link.title || TEXTS.untitled
  const isOver = link.expires_at !== null && Date.parse(link.expires_at) <= now()
  return (
    <li class="share-item" style={STYLES.item}>
      <div style={STYLES.head}>
        <strong style={STYLES.name}>{name}</strong>
        <Switch
          label={TEXTS.enabled(name)}
          checked={link.enabled}
          busy={busy}
          onChange={(enabled) =>
            run(async () => {
              await updateSharedLink(client, { project_id: project, id: link.id, enabled })
              onChanged()
            })
          }
        />
        <Menu
          label={TEXTS.more(name)}
          icon="more"
          items={[
            { label: TEXTS.edit, onSelect: () => onView('form') },
            { label: TEXTS.revoke, onSelect: () => onView('revoke') },
          ]}
        />
      </div>
      <p class="page-note" style={STYLES.facts}>
        <span>
          {TEXTS.createdAt} <Time value={link.created_at} />
        </span>
        {link.has_password && <span>{TEXTS.hasPassword}</span>}
        {link.expires_at !== null && (
          <span>
            {isOver ? TEXTS.ended : TEXTS.ends} <Time value={link.expires_at} />
          </span>
        )}
      </p>
    </li>
  )
}

type RevokeProps = {
  readonly link: SharedLink
  readonly onClose: () => void
  readonly onDone: () => void
}

function Revoke({ link, onClose, onDone }: RevokeProps) {
  const { id: project } = useProject()
  const { busy, failure, run } = useAction(true)
  return (
    <Confirm
      title={TEXTS.revokeTitle}
      action={TEXTS.revokeAction}
      busy={busy}
      problem={failure?.detail}
      onClose={onClose}
      onConfirm={() =>
        run(async () => {
          await deleteSharedLink(client, { project_id: project, id: link.id })
          toast(TEXTS.revoked)
          onDone()
        })
      }
    >
      <p>{TEXTS.revokeText}</p>
    </Confirm>
  )
}
