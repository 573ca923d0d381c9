import { useState } from 'preact/hooks'
import './live.css'
import type { LiveEvent, LiveFilter, LiveState } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { now } from '../../data/timers.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FailureNote } from '../../kit/failure.tsx'
import { listOf } from '../../kit/filters/event-filters.ts'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { pathOfLive } from './live-call.ts'
import { LiveDrawer } from './live-drawer.tsx'
import { useFeed } from './live-feed.ts'
import { LiveFilterForm } from './live-filter.tsx'
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
  const [query] = useQuery()
  const filter = filterOf(query)
  const [isPaused, setPaused] = useState(false)
  const [opened, setOpened] = useState<LiveEvent>()
  const feed = useFeed(id, filter, isPaused || opened !== undefined)
  const { shown, waiting, missed, state, error, release } = feed
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <PageHead
        title={TEXTS.title}
        note={
          <span class={`live-state live-${state}`}>{isPaused ? TEXTS.paused : NOTES[state]}</span>
        }
        call={{ verb: 'GET', path: pathOfLive(id, filter) }}
      />
      <LiveFilterForm key={JSON.stringify(filter)} filter={filter} />
      {error !== undefined && state === 'closed' && (
        <FailureNote error={error} onRetry={() => location.reload()} />
      )}
      <div class="live-bar">
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
        <Empty title={TEXTS.emptyTitle}>{isFiltered ? TEXTS.emptyFiltered : TEXTS.empty}</Empty>
      )}
      {opened !== undefined && <LiveDrawer event={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function filterOf(query: URLSearchParams): LiveFilter {
  const event = query.get('event')
  const distinctId = query.get('distinct_id')
  const where = listOf(query.getAll('where'))
  const properties = query.get('properties')
  return {
    ...(event ? { event } : {}),
    ...(distinctId ? { distinct_id: distinctId } : {}),
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
