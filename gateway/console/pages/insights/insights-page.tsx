import {
  type ListSavedInsightsInput,
  listSavedInsights,
  type SavedInsight,
} from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Field, Select } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { kindOf } from '../../questions/question.ts'
import { sentenceOf } from '../../questions/sentence.ts'
import { KIND_NAMES } from '../../questions/texts.ts'
import './insights.css'
import { INSIGHTS_TEXTS as TEXTS } from './texts.ts'

const PAGE = 50

type Kind = NonNullable<ListSavedInsightsInput['kind']>

const KINDS = Object.entries(KIND_NAMES).map(([value, label]) => ({ value: value as Kind, label }))

/** Questions that were saved, the last changed first. */
export default function InsightsPage() {
  const { id } = useProject()
  const [query, setQuery] = useQuery()
  const search = query.get('search') ?? ''
  const offset = Math.max(0, Number(query.get('offset')) || 0)
  const kind = KINDS.find(({ value }) => value === query.get('kind'))?.value
  const insights = useResource(`insights ${id} ${search} ${kind} ${offset}`, (signal) => {
    const page = {
      project_id: id,
      limit: PAGE,
      offset,
      ...(search && { search }),
      ...(kind && { kind }),
    }
    return listSavedInsights(client, page, { signal })
  })
  const make = (
    <a class="button button-main" href={`/project/${id}/insights/new`}>
      <Icon name="plus" />
      {TEXTS.make}
    </a>
  )
  const empty =
    search === '' && kind === undefined ? (
      <Empty title={TEXTS.emptyTitle} action={make}>
        {TEXTS.empty}
      </Empty>
    ) : (
      <p>{TEXTS.nothing}</p>
    )
  return (
    <>
      <PageHead title={TEXTS.title}>{make}</PageHead>
      <div class="insights-search">
        <Field
          label={TEXTS.search}
          type="search"
          value={search}
          onInput={({ currentTarget: { value } }) =>
            setQuery({ search: value || undefined, offset: undefined }, { replace: true })
          }
        />
        <Select
          label={TEXTS.kind}
          options={[{ value: '', label: TEXTS.allKinds }, ...KINDS]}
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setQuery({ kind: value || undefined, offset: undefined })
          }
        />
      </div>
      <Loaded
        of={insights}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={empty}
      >
        {({ results, count }) => (
          <>
            <Table
              caption={TEXTS.caption}
              columns={columnsOf(id)}
              rows={results}
              keyOf={({ short_id: key }) => key}
            />
            <Pages
              offset={offset}
              shown={results.length}
              count={count}
              onMove={(next) => setQuery({ offset: next === 0 ? undefined : String(next) })}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function columnsOf(project: number): readonly Column<SavedInsight>[] {
  return [
    {
      key: 'name',
      title: TEXTS.name,
      cell: ({ short_id: shortId, name, description }) => (
        <>
          <a class="insights-name" href={`/project/${project}/insights/${shortId}`}>
            {name || shortId}
          </a>
          {description !== '' && <span class="insights-about">{description}</span>}
        </>
      ),
    },
    { key: 'kind', isWide: true, title: TEXTS.kind, cell: ({ query }) => kindName(query) },
    {
      key: 'asks',
      isWide: true,
      title: TEXTS.asks,
      cell: ({ query }) => (
        <span class="insights-asks">{isRecord(query) ? sentenceOf(query) : ''}</span>
      ),
    },
    {
      key: 'author',
      isWide: true,
      title: TEXTS.author,
      cell: ({ created_by: author }) => author?.first_name || author?.email || '–',
    },
    {
      key: 'changed',
      title: TEXTS.changed,
      align: 'end',
      cell: ({ last_modified_at: at }) => <Time value={at} as="ago" />,
    },
  ]
}

function kindName(query: SavedInsight['query']): string {
  const kind = isRecord(query) ? kindOf(query) : undefined
  return kind === undefined ? TEXTS.other : KIND_NAMES[kind]
}

type PagesProps = {
  readonly offset: number
  readonly shown: number
  readonly count: number
  readonly onMove: (offset: number) => void
}

function Pages({ offset, shown, count, onMove }: PagesProps) {
  if (count <= shown) return null
  return (
    <div class="pages">
      <Button disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - PAGE))}>
        {TEXTS.earlier}
      </Button>
      <span>
        {formatNumber(offset + 1)} to {formatNumber(offset + shown)} of {formatNumber(count)}
      </span>
      <Button disabled={offset + shown >= count} onClick={() => onMove(offset + PAGE)}>
        {TEXTS.more}
      </Button>
    </div>
  )
}
