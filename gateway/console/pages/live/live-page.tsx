import './live.css'
import { useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import type { LiveEvent, LiveFilter, LiveState } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { now } from '../../data/timers.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { JsonView } from '../../kit/drawers/json-view.tsx'
import { Empty, FirstEvent } from '../../kit/empty.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { eventFiltersOf, parametersOf } from '../../kit/filters/event-filters.ts'
import { parted } from '../../kit/filters/expression.ts'
import { type PropertyFilter, textOfFilters } from '../../kit/filters/filter.ts'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { useFeed } from './live-feed.ts'
import { LiveRows } from './live-rows.tsx'
import { LIVE_TEXTS as TEXTS } from './texts.ts'

const ACTIVE_MS = 300_000

const NOTES: Readonly<Record<LiveState, string>> = {
  opening: TEXTS.opening,
  open: TEXTS.open,
  waiting: TEXTS.waiting,
  closed: TEXTS.closed,
}

export default function LivePage() {
  const { id } = useProject()
  const [query, setQuery] = useQuery()
  const filters = filtersIn(query)
  const filter = liveFilterOf(filters)
  const [isPaused, setPaused] = useState(false)
  const [opened, setOpened] = useState<LiveEvent>()
  const feed = useFeed(id, filter, isPaused || opened !== undefined)
  const { shown, waiting, missed, state, error, release } = feed
  return (
    <>
      <PageHead
        title={TEXTS.title}
        note={
          <span class={`live-state live-${state}`}>{isPaused ? TEXTS.paused : NOTES[state]}</span>
        }
        call={{ verb: 'GET', path: pathOfLive(id, filter) }}
      />
      {error !== undefined && state === 'closed' && (
        <FailureNote error={error} onRetry={() => location.reload()} />
      )}
      <div class="live-bar">
        <FilterChips
          of="events"
          filters={filters}
          onChange={(all) => setQuery({ ...NO_NAMES, ...parametersOf(all) })}
        />
        <p class="figure">{TEXTS.active(activeOf(shown))}</p>
        <p role="status" class="live-new">
          {waiting > 0 && (
            <Button
              onClick={() => {
                document.querySelector('[data-key=rows]')?.scrollTo(0, 0)
                setPaused(false)
                release()
              }}
            >
              {TEXTS.new(waiting)}
            </Button>
          )}
          {missed > 0 && <span>{TEXTS.missed(missed)}</span>}
        </p>
      </div>
      {shown.length > 0 ? (
        <LiveRows events={shown} onPause={setPaused} onOpen={setOpened} />
      ) : state === 'opening' ? (
        <TableSkeleton rows={10} />
      ) : (
        error === undefined && <Nothing project={id} isFiltered={filters.length > 0} />
      )}
      {opened !== undefined && <LiveDrawer event={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

type NothingProps = { readonly project: number; readonly isFiltered: boolean }

function Nothing({ project, isFiltered }: NothingProps) {
  return (
    <Empty title={TEXTS.emptyTitle} action={!isFiltered && <FirstEvent project={project} />}>
      {isFiltered ? TEXTS.emptyFiltered : TEXTS.empty}
    </Empty>
  )
}

/** Parameters of the stream that name an event or a distinct id. The page writes them as `where`. */
const NO_NAMES = { event: undefined, distinct_id: undefined }

function filtersIn(query: URLSearchParams): readonly PropertyFilter[] {
  const named = Object.keys(NO_NAMES).flatMap((key): readonly PropertyFilter[] => {
    const value = query.get(key)
    return value ? [{ type: 'event_metadata', key, operator: 'exact', value: [value] }] : []
  })
  return [...named, ...eventFiltersOf(query)]
}

function liveFilterOf(filters: readonly PropertyFilter[]): LiveFilter {
  const { where, others } = parted(filters)
  const properties = textOfFilters(others)
  return {
    ...(where.length > 0 ? { where } : {}),
    ...(properties ? { properties } : {}),
  }
}

/** Active persons among the events on screen: a lower bound. */
function activeOf(events: readonly LiveEvent[]): number {
  const since = now() - ACTIVE_MS
  const recent = events.filter(({ timestamp }) => Date.parse(timestamp) > since)
  return new Set(recent.map(({ distinct_id }) => distinct_id)).size
}

/** Path of the live stream, which "Copy as curl" of the page copies. */
function pathOfLive(project: number, { where = [], properties }: LiveFilter): string {
  const parameters = new URLSearchParams(where.map((each) => ['where', each]))
  if (properties !== undefined) parameters.set('properties', properties)
  const query = parameters.size === 0 ? '' : `?${parameters}`
  return `/api/projects/${project}/live/${query}`
}

/** Shows one event in full, and links to related pages. */
function LiveDrawer(props: { readonly event: LiveEvent; readonly onClose: () => void }) {
  const { event, onClose } = props
  const { id } = useProject()
  const base = `/project/${id}`
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: event.event }] }
  const explore = `${base}/insights/new#q=${encodeURIComponent(JSON.stringify(query))}`
  const { properties, ...rest } = event
  return (
    <Drawer title={labelOf(event.event)} onClose={onClose}>
      <p>
        <Time value={event.timestamp} />
        {' · '}
        <a href={`${base}/person/${encodeURIComponent(event.distinct_id)}`}>{event.distinct_id}</a>
      </p>
      {event.truncated === true && <p>{TEXTS.truncated}</p>}
      <p class="live-actions">
        <a class="button button-main" href={explore}>
          {TEXTS.explore}
        </a>
        <a
          class="button button-plain"
          href={`${base}/events?where=${encodeURIComponent(`uuid = '${event.id}'`)}&open=${event.id}`}
        >
          {TEXTS.whole}
        </a>
        <Button icon="copy" onClick={() => void copyText(JSON.stringify(event, null, 2), 'JSON')}>
          Copy as JSON
        </Button>
      </p>
      <JsonView value={{ ...rest, properties }} open={2} />
    </Drawer>
  )
}
