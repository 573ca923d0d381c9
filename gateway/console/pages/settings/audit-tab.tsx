import { useState } from 'preact/hooks'
import {
  type ActivityEntry,
  type ListProjectActivityInput,
  listOrganizationActivity,
  listProjectActivity,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { Diff } from '../flag/diff.tsx'
import { AUDIT_SCOPES, SETTINGS_TEXTS as TEXTS } from './texts.ts'

const PAGE = 30

type Scope = NonNullable<ListProjectActivityInput['scope']>

/** Log of changes with their authors, newest first. */
export function AuditTab() {
  const { id, organization } = useProject()
  const [query, setQuery] = useQuery()
  const [limit, setLimit] = useState(PAGE)
  const scope = AUDIT_SCOPES.find(({ value }) => value === query.get('scope'))?.value ?? ''
  const place = query.get('of') === 'organization' ? 'organization' : 'project'
  // None of them is the empty one here.
  const page = { limit, ...(scope === '' ? {} : { scope: scope as Scope }) }
  const entries = useResource(`audit ${id} ${place} ${scope} ${limit}`, (signal) =>
    place === 'organization'
      ? listOrganizationActivity(client, { organization_id: organization, ...page }, { signal })
      : listProjectActivity(client, { project_id: id, ...page }, { signal }),
  )
  return (
    <div class="settings-section">
      <div class="settings-filters">
        <Select
          label={TEXTS.changesOf}
          options={TEXTS.places}
          value={place}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ of: value === 'project' ? undefined : value })
          }
        />
        <Select
          label={TEXTS.kind}
          options={AUDIT_SCOPES}
          value={scope}
          onChange={({ currentTarget: { value } }) => setQuery({ scope: value || undefined })}
        />
      </div>
      <Loaded
        of={entries}
        skeleton={<TableSkeleton rows={6} height={72} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<Empty title={TEXTS.noChanges}>{TEXTS.noChangesText}</Empty>}
      >
        {({ results, count }) => (
          <>
            <ol class="settings-audit">
              {results.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
            {count > results.length && (
              <Button onClick={() => setLimit(limit + PAGE)}>{TEXTS.older}</Button>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

const CHANGES_OPEN = 4

function Entry({ entry }: { readonly entry: ActivityEntry }) {
  const { activity, scope, item_id: item, detail, user, key_id: key, created_at: at } = entry
  const changes = detail?.changes ?? []
  const kind = AUDIT_SCOPES.find(({ value }) => value === scope)?.one ?? scope
  const diff = <Diff changes={changes} />
  return (
    <li class="settings-card settings-entry">
      <header>
        <h2>{detail?.name ?? `#${item}`}</h2>
        <span class="settings-note">
          {kind} {activity.replaceAll('_', ' ')} · {user?.email ?? TEXTS.nobody}
          {key !== null && ` · ${TEXTS.byKey}`}
        </span>
        <Time value={at} />
      </header>
      {changes.length > CHANGES_OPEN ? (
        <details>
          <summary>
            {changes.length} {TEXTS.fields}
          </summary>
          {diff}
        </details>
      ) : (
        changes.length > 0 && diff
      )}
    </li>
  )
}
