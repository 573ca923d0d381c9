import { type EventDefinition, listEventDefinitions } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { changedSearch, useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, FirstEvent } from '../../kit/empty.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Name } from '../../kit/names/name.tsx'
import { meaningOf } from '../../kit/picker/known-names.ts'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ownerName, useOwners } from './owners.ts'
import { ORDERS, DEFINITIONS_TEXTS as TEXTS, TYPES } from './texts.ts'

const DefinitionDrawer = later(
  async () => (await import('./definition-drawer.tsx')).DefinitionDrawer,
)

const PAGE = 50

export function EventsTab() {
  const { id } = useProject()
  const [query, setQuery] = useQuery()
  const search = query.get('search') ?? ''
  const type = TYPES.find(({ value }) => value === query.get('type'))?.value ?? 'event'
  const order = ORDERS.find(({ value }) => value === query.get('order'))?.value ?? ORDERS[0].value
  const offset = Math.max(0, Number(query.get('offset')) || 0)
  const opened = query.get('open')
  const asked = {
    limit: PAGE,
    offset,
    ordering: order,
    event_type: type,
    ...(search && { search }),
  }
  const found = useResource(`definitions ${id} ${JSON.stringify(asked)}`, (signal) =>
    listEventDefinitions(client, { project_id: id, ...asked }, { signal }),
  )
  const isOwned = found.data?.results.some(({ owner }) => owner !== null) === true
  const owners = useOwners(isOwned)
  return (
    <>
      <div class="definitions-filters">
        <Field
          label={TEXTS.searchEvents}
          type="search"
          value={search}
          maxLength={400}
          onInput={({ currentTarget: { value } }) =>
            setQuery({ search: value || undefined, offset: undefined }, { replace: true })
          }
        />
        <Select
          label={TEXTS.type}
          options={TYPES}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ type: value === 'event' ? undefined : value, offset: undefined })
          }
        />
        <Select
          label={TEXTS.order}
          options={ORDERS}
          value={order}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ order: value === ORDERS[0].value ? undefined : value, offset: undefined })
          }
        />
      </div>
      <Loaded
        of={found}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<Nothing project={id} isFiltered={search !== '' || type !== 'event'} />}
      >
        {({ results, count }) => (
          <>
            <Table
              caption={TEXTS.events}
              columns={columnsOf(owners.data)}
              rows={results}
              keyOf={({ id: key }) => key}
            />
            <Pages offset={offset} shown={results.length} count={count} />
          </>
        )}
      </Loaded>
      {opened !== null && (
        <DefinitionDrawer
          id={opened}
          onSaved={found.reload}
          onClose={() => setQuery({ open: undefined })}
        />
      )}
    </>
  )
}

function Nothing({
  project,
  isFiltered,
}: {
  readonly project: number
  readonly isFiltered: boolean
}) {
  const [, setQuery] = useQuery()
  if (!isFiltered) {
    return (
      <Empty title={TEXTS.emptyTitle} action={<FirstEvent project={project} />}>
        {TEXTS.empty}
      </Empty>
    )
  }
  const clear = (
    <Button onClick={() => setQuery({ search: undefined, type: undefined })}>{TEXTS.clear}</Button>
  )
  return (
    <Empty title={TEXTS.noneTitle} action={clear}>
      {TEXTS.none}
    </Empty>
  )
}

type Owners = Parameters<typeof ownerName>[0]

function columnsOf(owners: Owners): readonly Column<EventDefinition>[] {
  return [
    {
      key: 'name',
      title: TEXTS.name,
      cell: ({ id, name, description }) => {
        const about = description || meaningOf(name)
        return (
          <>
            <a class="definitions-name" href={changedSearch(location.search, { open: id })}>
              <Name of={name} />
            </a>
            {about !== undefined && <span class="definitions-about">{about}</span>}
          </>
        )
      },
    },
    {
      key: 'tags',
      isWide: true,
      title: TEXTS.tags,
      cell: ({ tags }) => <span class="definitions-tags">{tags.join(', ')}</span>,
    },
    {
      key: 'verified',
      isWide: true,
      title: TEXTS.verified,
      cell: ({ verified }) => (verified ? TEXTS.verified : ''),
    },
    {
      key: 'owner',
      isWide: true,
      title: TEXTS.owner,
      cell: ({ owner }) => (owner === null ? '' : ownerName(owners, owner)),
    },
    {
      key: 'volume',
      title: TEXTS.volume,
      align: 'end',
      cell: ({ volume_30_day: volume }) => figure(volume),
    },
    {
      key: 'queries',
      isWide: true,
      title: TEXTS.queries,
      align: 'end',
      cell: ({ query_usage_30_day: queries }) => figure(queries),
    },
    {
      key: 'seen',
      title: TEXTS.lastSeen,
      align: 'end',
      cell: ({ last_seen_at: at }) => (at === null ? TEXTS.unknown : <Time value={at} as="ago" />),
    },
  ]
}

function figure(count: number | null) {
  return <span class="figure">{count === null ? TEXTS.unknown : formatNumber(count)}</span>
}

type PagesProps = { readonly offset: number; readonly shown: number; readonly count: number }

function Pages({ offset, shown, count }: PagesProps) {
  const [, setQuery] = useQuery()
  const move = (next: number) => setQuery({ offset: next > 0 ? String(next) : undefined })
  if (count <= shown) return null
  return (
    <div class="pages">
      <Button disabled={offset === 0} onClick={() => move(offset - PAGE)}>
        {TEXTS.newer}
      </Button>
      <span>{TEXTS.pages(offset + 1, offset + shown, count)}</span>
      <Button disabled={offset + shown >= count} onClick={() => move(offset + PAGE)}>
        {TEXTS.older}
      </Button>
    </div>
  )
}
