import { useState } from 'preact/hooks'
import { cut, formatTime } from '../../data/format.ts'
import type { Paged } from '../../data/paged.ts'
import { useProject } from '../../data/projects.ts'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { More } from '../../kit/more.tsx'
import { Name } from '../../kit/names/name.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type EventPage, type PersonEvent, type Visit, visitsOf } from './person-data.ts'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

const EventDrawer = later(
  async () => (await import('../../kit/drawers/event-drawer.tsx')).EventDrawer,
)

const PAGE_CHARS_MAX = 400

type TimelineProps = { readonly of: Paged<EventPage>; readonly events: readonly PersonEvent[] }

/** Events of the person by session, newest first. */
export function Timeline({ of, events }: TimelineProps) {
  const [opened, setOpened] = useState<string>()
  return (
    <section class="person-timeline" aria-label={TEXTS.timeline}>
      <Loaded
        of={of.first}
        skeleton={<TableSkeleton rows={10} />}
        isEmpty={({ results }) => results.length === 0}
        empty={<p class="person-none">{TEXTS.noEvents}</p>}
      >
        {({ count }) => (
          <>
            {visitsOf(events).map((visit) => (
              <VisitView key={visit.events[0]?.id} visit={visit} onOpen={setOpened} />
            ))}
            <More of={of} hasMore={(of.pages.at(-1)?.next ?? null) !== null}>
              {TEXTS.shown(events.length, count)}
            </More>
          </>
        )}
      </Loaded>
      {opened !== undefined && <EventDrawer id={opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

type VisitProps = { readonly visit: Visit; readonly onOpen: (id: string) => void }

function VisitView({ visit: { session, events }, onOpen }: VisitProps) {
  const { timezone } = useProject()
  const newest = events[0]
  const oldest = events.at(-1)
  if (newest === undefined || oldest === undefined) return null
  const [from, to] = [oldest, newest].map(({ timestamp }) => formatTime(timestamp, timezone))
  return (
    <details open class="person-visit">
      <summary title={session}>
        <strong>{session === undefined ? TEXTS.noSession : TEXTS.session}</strong>
        <span>
          {from === to ? from : `${from} ${TEXTS.to} ${to}`}
          {', '}
          {TEXTS.events(events.length)}
        </span>
      </summary>
      <ol>
        {events.map(({ id, event, timestamp, properties }) => (
          <li key={id}>
            <button type="button" class="person-event" onClick={() => onOpen(id)}>
              <span class="person-time figure">{timeOf(timestamp, timezone)}</span>
              <span class="person-name">
                <Name of={event} />
              </span>
              <span class="person-page">{pageOf(properties)}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Time without the day, which is shown above. */
function timeOf(timestamp: string, zone: string): string {
  return formatTime(timestamp, zone).split(', ').at(-1) ?? ''
}

function pageOf(properties: PersonEvent['properties']): string {
  const page = properties['$pathname'] ?? properties['$screen_name'] ?? properties['$current_url']
  return typeof page === 'string' ? cut(page, PAGE_CHARS_MAX) : ''
}
