import { type Cohort, listCohorts } from '../../../client/index.ts'
import './cohorts.css'
import { client } from '../../data/client.ts'
import { nameOfCohort, useCohortNames } from '../../data/cohorts.ts'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Field } from '../../kit/field.tsx'
import { Icon } from '../../kit/icons.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { criteriaOf, criteriaText } from '../cohort/criteria.ts'
import type { Names } from '../flag/sentence.ts'
import { COHORTS_TEXTS as TEXTS } from './texts.ts'

const PAGE = 50

export default function CohortsPage() {
  const { id } = useProject()
  const [query, setQuery] = useQuery()
  const search = query.get('search') ?? ''
  const offset = Math.max(0, Number(query.get('offset')) || 0)
  const cohorts = useResource(`cohorts-page ${id} ${search} ${offset}`, (signal) => {
    const page = { project_id: id, limit: PAGE, offset, ...(search && { search }) }
    return listCohorts(client, page, { signal })
  })
  const named = useCohortNames(id)
  const names: Names = {
    flags: new Map(),
    cohorts: new Map(named.data?.map((each) => [String(each.id), nameOfCohort(each)])),
  }
  const make = (
    <a class="button button-main" href={`/project/${id}/cohorts/new`}>
      <Icon name="plus" />
      {TEXTS.make}
    </a>
  )
  const clear = <Button onClick={() => setQuery({ search: undefined })}>{TEXTS.clear}</Button>
  return (
    <>
      <PageHead title={TEXTS.title}>{make}</PageHead>
      <div class="cohorts-search">
        <Field
          label={TEXTS.search}
          type="search"
          value={search}
          maxLength={400}
          onInput={({ currentTarget: { value } }) =>
            setQuery({ search: value || undefined, offset: undefined }, { replace: true })
          }
        />
      </div>
      <Loaded
        of={cohorts}
        skeleton={<TableSkeleton rows={8} />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          search === '' ? (
            <Empty title={TEXTS.emptyTitle} action={make}>
              {TEXTS.empty}
            </Empty>
          ) : (
            <Empty title={TEXTS.noneTitle} action={clear}>
              {TEXTS.none(search)}
            </Empty>
          )
        }
      >
        {({ results, count }) => (
          <>
            <Table
              caption={TEXTS.rows}
              columns={columnsOf(id, names)}
              rows={results}
              keyOf={({ id: key }) => key}
            />
            <Pages
              offset={offset}
              shown={results.length}
              count={count}
              onMove={(next) => setQuery({ offset: next === 0 ? undefined : String(next) })}
            />
            {cohorts.at !== undefined && (
              <p class="cohorts-at">
                {TEXTS.calculated} <Time value={cohorts.at} />
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function columnsOf(project: number, names: Names): readonly Column<Cohort>[] {
  return [
    {
      key: 'name',
      title: TEXTS.name,
      cell: (cohort) => (
        <>
          <a class="cohorts-name" href={`/project/${project}/cohorts/${cohort.id}`}>
            {nameOfCohort(cohort)}
          </a>
          {cohort.description !== '' && <span class="cohorts-about">{cohort.description}</span>}
        </>
      ),
    },
    {
      key: 'persons',
      title: TEXTS.persons,
      align: 'end',
      cell: ({ count }) =>
        count === null ? (
          <span title={TEXTS.unknownTitle}>{TEXTS.unknown}</span>
        ) : (
          <span class="figure">{formatNumber(count)}</span>
        ),
    },
    {
      key: 'type',
      isWide: true,
      title: TEXTS.type,
      cell: ({ is_static: isStatic }) => (isStatic ? TEXTS.static : TEXTS.dynamic),
    },
    {
      key: 'criteria',
      isWide: true,
      title: TEXTS.criteria,
      cell: ({ is_static: isStatic, filters }) => (
        <span class="cohorts-criteria">
          {isStatic ? TEXTS.listed : criteriaText(criteriaOf(filters), names) || TEXTS.everybody}
        </span>
      ),
    },
    {
      key: 'created',
      isWide: true,
      title: TEXTS.created,
      align: 'end',
      cell: ({ created_at: at }) => <Time value={at} />,
    },
  ]
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
