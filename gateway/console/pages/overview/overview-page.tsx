import { useState } from 'preact/hooks'
import './overview.css'
import { useProject } from '../../data/projects.ts'
import { askAll, freshnessOf, isAnswered } from '../../data/questions.ts'
import { DEFAULT_RANGE } from '../../data/ranges.ts'
import { useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { useQuery } from '../../data/url.ts'
import { Empty } from '../../kit/empty.tsx'
import { Select } from '../../kit/field.tsx'
import { eventsAddress } from '../../kit/filters/expression.ts'
import { filtersOf, type PropertyFilter, textOfFilters } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { toggled } from '../../kit/filters/toggled.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { DateRangePicker } from '../../kit/ranges/date-range.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { UnansweredNote } from '../../kit/unanswered.tsx'
import { Lists } from './lists.tsx'
import { Numbers } from './numbers.tsx'
import { type AskedOverview, filterOfList, overviewQueries } from './overview-questions.ts'
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts'

const COMPARED = [
  { value: '', label: TEXTS.toBefore },
  { value: '-7d', label: TEXTS.toWeekBefore },
]

export default function OverviewPage() {
  const project = useProject()
  const [query, setQuery] = useQuery()
  const date = query.get('date') ?? DEFAULT_RANGE
  const filters = filtersOf(query.get('f'))
  const setFilters = (next: readonly PropertyFilter[]) => setQuery({ f: textOfFilters(next) })
  const [first] = useState(project.ingested_event)
  const compare = query.get('compare') ?? ''
  const asked = { date, filters, compare }
  const question = `overview ${project.id} ${date} ${compare} ${query.get('f') ?? ''}`
  const answers = useResource(question, (signal) =>
    askAll(project.id, overviewQueries(asked, now()), signal),
  )
  const total = answers.data?.[0]
  // The events list supports only ranges that end now, and all time.
  const after = /^-[1-9]\d*[hd]$/.test(date) ? date : undefined
  const isListed = after !== undefined || date === 'all'
  const rows = isListed ? eventsAddress(project.id, filters, after) : undefined
  const isEmpty = !first && filters.length === 0 && !hasAny(total)
  return (
    <>
      <PageHead title={TEXTS.title}>
        <Compare {...asked} onChange={(next) => setQuery({ compare: next })} />
        <DateRangePicker
          value={date}
          onChange={(next) => setQuery({ date: next === DEFAULT_RANGE ? undefined : next })}
        />
      </PageHead>
      <div class="overview-filters">
        <FilterChips filters={filters} onChange={setFilters} />
      </div>
      <Loaded
        of={answers}
        skeleton={<OverviewSkeleton />}
        isEmpty={() => isEmpty}
        empty={
          <Empty
            title={TEXTS.emptyTitle}
            action={
              <a class="button button-main" href={`/project/${project.id}/start`}>
                {TEXTS.start}
              </a>
            }
          >
            {TEXTS.empty}
          </Empty>
        }
      >
        {([numbers, active, ...lists]) => (
          <UnansweredNote answers={answers.data ?? []} onRetry={answers.reload}>
            <Numbers asked={asked} answer={numbers} active={active} />
            <Lists
              answers={lists}
              filters={filters}
              onChoose={(list, value, isExcluded) => {
                const { type, key } = filterOfList(list)
                setFilters(toggled(filters, key, value, isExcluded, type))
              }}
            />
            <p class="overview-foot">
              {freshnessOf([numbers ?? {}, ...lists])}
              {rows !== undefined && <a href={rows}>{TEXTS.rows}</a>}
            </p>
          </UnansweredNote>
        )}
      </Loaded>
    </>
  )
}

type CompareProps = AskedOverview & { readonly onChange: (compare: string) => void }

function Compare({ date, compare, onChange }: CompareProps) {
  return (
    <Select
      label={TEXTS.compare}
      labelHidden
      options={COMPARED}
      value={compare}
      disabled={date === 'all'}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  )
}

function hasAny(answer: object | undefined): boolean {
  if (!isAnswered(answer)) return true
  const rows: readonly { readonly count: number }[] = answer.results
  return rows.some(({ count }) => count > 0)
}

function OverviewSkeleton() {
  return (
    <div class="overview-skeleton">
      <Skeleton height={104} />
      <Skeleton height={330} />
      <Skeleton height={400} />
    </div>
  )
}
