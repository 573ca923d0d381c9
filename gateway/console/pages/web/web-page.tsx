import './web.css'
import { useState } from 'preact/hooks'
import { useProject } from '../../data/projects.ts'
import { askAll, freshnessOf, isAnswered } from '../../data/questions.ts'
import { DEFAULT_RANGE } from '../../data/ranges.ts'
import { useResource } from '../../data/resource.ts'
import { now } from '../../data/timers.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { filtersOf, type PropertyFilter, textOfFilters } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { toggled } from '../../kit/filters/toggled.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { CompareSelect } from '../../kit/ranges/compare-select.tsx'
import { DateRangePicker } from '../../kit/ranges/date-range.tsx'
import { Share } from '../../kit/sharing/share.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Switch } from '../../kit/switch.tsx'
import { UnansweredNote } from '../../kit/unanswered.tsx'
import { GoalsPanel } from './goals-panel.tsx'
import { PANELS } from './panels.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'
import { WebNumbers } from './web-numbers.tsx'
import { WebPanel } from './web-panel.tsx'
import {
  type AskedWeb,
  currentOf,
  type FigureRow,
  figuresOf,
  sharedOf,
  visitorsOf,
  webQueries,
} from './web-questions.ts'

const BEFORE = 'before'
const COMPARED = [
  { value: '', label: TEXTS.noCompare },
  { value: BEFORE, label: TEXTS.toBefore },
  { value: '-7d', label: TEXTS.toWeekBefore },
  { value: '-1y', label: TEXTS.toYearBefore },
]

export default function WebPage() {
  const project = useProject()
  const [query, setQuery] = useQuery()
  const [isSharing, setSharing] = useState(false)
  const asked: AskedWeb = {
    date: query.get('date') ?? DEFAULT_RANGE,
    filters: filtersOf(query.get('f')),
    compare: query.get('compare') ?? BEFORE,
    isWithoutTests: query.has('test'),
    goal: query.get('goal') ?? undefined,
    tabs: Object.fromEntries(PANELS.map(({ key }) => [key, query.get(key)])),
  }
  const figures = figuresOf(asked)
  const figure = figures.find(({ key }) => key === query.get('show')) ?? figures[0]
  const setFilters = (next: readonly PropertyFilter[]) => setQuery({ f: textOfFilters(next) })
  const answers = useResource(
    `web ${project.id} ${figure?.key} ${JSON.stringify(asked)}`,
    (signal) => askAll(project.id, webQueries(asked, figure?.key ?? '', now()), signal),
  )
  const choose: NonNullable<Parameters<typeof WebPanel>[0]['onChoose']> = (
    { type, key },
    value,
    isExcluded,
  ) => {
    if (value !== undefined) {
      setFilters(toggled(asked.filters, key, value, isExcluded, type))
      return
    }
    const operator = isExcluded ? 'is_set' : 'is_not_set'
    const others = asked.filters.filter((each) => each.key !== key || each.operator !== operator)
    const isHeld = others.length < asked.filters.length
    setFilters(isHeld ? others : [...others, { type, key, operator }])
  }
  return (
    <>
      <PageHead title={TEXTS.title} note={<Current answer={answers.data?.[2]} />}>
        <CompareSelect
          label={TEXTS.compare}
          labelHidden={true}
          options={COMPARED}
          value={asked.compare}
          disabled={asked.date === 'all'}
          onChange={(value) => setQuery({ compare: value === BEFORE ? undefined : value })}
        />
        <DateRangePicker
          value={asked.date}
          onChange={(next) => setQuery({ date: next === DEFAULT_RANGE ? undefined : next })}
        />
        <Button onClick={() => setSharing(true)}>{TEXTS.share}</Button>
      </PageHead>
      {isSharing && <Share of={sharedOf(asked)} onClose={() => setSharing(false)} />}
      <div class="web-filters">
        <FilterChips filters={asked.filters} onChange={setFilters} />
        <span class="web-switch">
          <Switch
            label={TEXTS.testUsers}
            checked={asked.isWithoutTests}
            onChange={(isOn) => setQuery({ test: isOn ? 'out' : undefined })}
          />
          <span aria-hidden="true">{TEXTS.testUsers}</span>
        </span>
      </div>
      <Loaded
        of={answers}
        skeleton={<WebSkeleton />}
        isEmpty={([overview]) => asked.filters.length === 0 && !hasViews(overview)}
        empty={project.ingested_event ? <NoViews /> : <NothingYet project={project.id} />}
      >
        {([overview, trend, , goals, ...panels]) => (
          <UnansweredNote answers={answers.data ?? []} onRetry={answers.reload}>
            {figure !== undefined && (
              <WebNumbers
                asked={asked}
                overview={overview}
                trend={trend}
                figure={figure}
                onChoose={(key) => setQuery({ show: key }, { replace: true })}
              />
            )}
            <div class="web-panels">
              {PANELS.map((panel, index) => (
                <WebPanel
                  key={panel.key}
                  panel={panel}
                  asked={asked}
                  answer={panels[index]}
                  visitors={visitorsOf(overview)}
                  onTab={(by) => setQuery({ [panel.key]: by }, { replace: true })}
                  onChoose={choose}
                />
              ))}
              <GoalsPanel
                asked={asked}
                answer={goals}
                isStale={answers.isStale}
                onChoose={(goal) => setQuery({ goal })}
                onChange={answers.reload}
              />
            </div>
            <p class="web-foot">{freshnessOf([overview ?? {}, ...panels])}</p>
          </UnansweredNote>
        )}
      </Loaded>
    </>
  )
}

/** Visitors of the last five minutes. */
function Current({ answer }: { readonly answer: object | undefined }) {
  const { id } = useProject()
  const text = currentOf(answer)
  return text === '' ? null : <a href={`/project/${id}/live`}>{text}</a>
}

function NoViews() {
  return <Empty title={TEXTS.noViews}>{TEXTS.noViewsHint}</Empty>
}

function NothingYet({ project }: { readonly project: number }) {
  const action = (
    <a class="button button-main" href={`/project/${project}/start`}>
      {TEXTS.start}
    </a>
  )
  return (
    <Empty title={TEXTS.emptyTitle} action={action}>
      {TEXTS.empty}
    </Empty>
  )
}

function hasViews(overview: object | undefined): boolean {
  if (!isAnswered(overview)) return true
  const rows: readonly FigureRow[] = overview.results
  return rows.some(({ value, previous }) => (value ?? 0) > 0 || (previous ?? 0) > 0)
}

function WebSkeleton() {
  return (
    <div class="web-skeleton">
      <Skeleton height={104} />
      <Skeleton height={330} />
      <Skeleton height={400} />
    </div>
  )
}
