import { useState } from 'preact/hooks'
import {
  type ActivityEntry,
  type FeatureFlag,
  listFeatureFlagActivity,
  rollbackFeatureFlag,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useResource } from '../../data/resource.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toasts.tsx'
import { Diff } from './diff.tsx'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

type HistoryProps = {
  readonly project: number
  readonly flag: FeatureFlag
  readonly onRestored: (flag: FeatureFlag) => void
}

const PAGE = 20
const OF_FIRST = new Set(['name', 'filters', 'tags', 'active'])

/** The versions of a flag, the newest first. */
export function History({ project, flag, onRestored }: HistoryProps) {
  const [limit, setLimit] = useState(PAGE)
  const [busy, setBusy] = useState<number>()
  const entries = useResource(
    `flag-history ${project} ${flag.id} ${flag.version} ${limit}`,
    (signal) =>
      listFeatureFlagActivity(client, { project_id: project, id: flag.id, limit }, { signal }),
  )
  const restore = async (version: number) => {
    setBusy(version)
    try {
      const { id } = flag
      onRestored(await rollbackFeatureFlag(client, { project_id: project, id, version }))
      toast(`Version ${version} restored`)
    } catch (error) {
      toast(failureOf(error).detail, { tone: 'bad' })
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Loaded
      of={entries}
      skeleton={<TableSkeleton rows={5} height={56} />}
      isEmpty={({ results }) => results.length === 0}
      empty={<Empty title={TEXTS.historyEmpty}>{TEXTS.historyEmptyText}</Empty>}
    >
      {({ results, count }) => (
        <>
          <ol class="flag-history">
            {results.map((entry) => (
              <Version
                key={entry.id}
                entry={entry}
                newest={flag.version}
                busy={busy}
                onRestore={(version) => void restore(version)}
              />
            ))}
          </ol>
          {count > results.length && (
            <Button onClick={() => setLimit(limit + PAGE)}>{TEXTS.older}</Button>
          )}
        </>
      )}
    </Loaded>
  )
}

type VersionProps = {
  readonly entry: ActivityEntry
  readonly newest: number
  readonly busy: number | undefined
  readonly onRestore: (version: number) => void
}

function Version({ entry, newest, busy, onRestore }: VersionProps) {
  const { user, activity, created_at: at, detail } = entry
  const version = detail?.version ?? null
  const all = detail?.changes ?? []
  // The first version has every field, most with their defaults.
  const shown = activity === 'created' ? all.filter(({ field }) => OF_FIRST.has(field)) : all
  const title = version === null ? 'No new version' : `Version ${version}`
  return (
    <li class="flag-version">
      <header>
        <h2>{title}</h2>
        <span class="flag-note">
          {activity.replace('_', ' ')} by {user?.email ?? 'somebody'}, <Time value={at} />
        </span>
        {version !== null && version !== newest && (
          <Button
            busy={busy === version}
            aria-label={`${TEXTS.restore} version ${version}`}
            onClick={() => onRestore(version)}
          >
            {TEXTS.restore}
          </Button>
        )}
      </header>
      <Diff changes={shown} />
    </li>
  )
}
