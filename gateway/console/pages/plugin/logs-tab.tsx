import { useState } from 'preact/hooks'
import {
  type ListPluginConfigLogsInput,
  listPluginConfigLogs,
  type PluginConfig,
  type PluginLogEntry,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { useProject } from '../../data/projects.ts'
import { useRefresh } from '../../data/refresh.ts'
import { useResource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { LOG_TYPES, PLUGIN_TEXTS as TEXTS } from './texts.ts'

const PAGE = 100
const FOLLOW_MS = 3_000

/** The newest entries first; new ones appear while the page is in sight. */
export function LogsTab({ config }: { readonly config: PluginConfig }) {
  const { id: project } = useProject()
  const [query, setQuery] = useQuery()
  const [limit, setLimit] = useState(PAGE)
  const [follows, setFollows] = useState(true)
  const search = query.get('search') ?? ''
  const type = LOG_TYPES.find((each) => each === query.get('type'))
  const logs = useResource(
    `plugin-logs ${project} ${config.id} ${type} ${limit} ${search}`,
    (signal) => {
      const asked: ListPluginConfigLogsInput = {
        project_id: project,
        parent_lookup_plugin_config_id: config.id,
        limit,
        ...(search === '' ? {} : { search }),
        ...(type === undefined ? {} : { type_filter: [type] }),
      }
      return listPluginConfigLogs(client, asked, { signal })
    },
  )
  const shown = useRefresh(logs, FOLLOW_MS, follows)
  const isFiltered = search !== '' || type !== undefined
  return (
    <div class="plugin-stack">
      <div class="plugin-filters">
        <Field
          label={TEXTS.search}
          type="search"
          value={search}
          onInput={({ currentTarget: { value } }) =>
            setQuery({ search: value || undefined }, { replace: true })
          }
        />
        <Select
          label={TEXTS.type}
          value={type ?? ''}
          options={TYPE_OPTIONS}
          onChange={({ currentTarget: { value } }) => setQuery({ type: value || undefined })}
        />
        <span class="plugin-follow">
          <Switch label={TEXTS.follow} checked={follows} onChange={setFollows} />
          {TEXTS.follow}
        </span>
      </div>
      <Loaded
        of={shown}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          isFiltered ? (
            <p>{TEXTS.noMatch}</p>
          ) : (
            <Empty title={TEXTS.noLogs}>{TEXTS.noLogsText}</Empty>
          )
        }
      >
        {({ results, next }) => (
          <>
            <Table caption={TEXTS.logs} rows={results} columns={COLUMNS} keyOf={({ id }) => id} />
            {next !== null && (
              <div>
                <Button onClick={() => setLimit(limit + PAGE)}>{TEXTS.more}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

const TYPE_OPTIONS = [
  { value: '', label: TEXTS.allTypes },
  ...LOG_TYPES.map((type) => ({ value: type, label: type })),
]

const COLUMNS: readonly Column<PluginLogEntry>[] = [
  { key: 'at', title: 'Time', cell: ({ timestamp }) => <Time value={timestamp} /> },
  {
    key: 'type',
    title: TEXTS.type,
    cell: ({ type }) => <span class={`plugin-log plugin-log-${type}`}>{type}</span>,
  },
  { key: 'source', title: 'From', cell: ({ source }) => source.toLowerCase() },
  {
    key: 'message',
    title: 'Message',
    cell: ({ message }) => <span class="plugin-message">{message}</span>,
  },
]
