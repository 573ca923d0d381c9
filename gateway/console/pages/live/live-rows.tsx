import type { LiveEvent } from '../../data/live.ts'
import { useProject } from '../../data/projects.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { Name } from '../../kit/names/name.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { LIVE_TEXTS as TEXTS } from './texts.ts'

type LiveRowsProps = {
  readonly events: readonly LiveEvent[]
  /** Pauses the list while the user reads: moving rows cannot be read or clicked. */
  readonly onPause: (isPaused: boolean) => void
  readonly onOpen: (event: LiveEvent) => void
}

/** Events, newest first. Paused while the pointer or the focus is in it, or it is scrolled. */
export function LiveRows({ events, onPause, onOpen }: LiveRowsProps) {
  const { id } = useProject()
  const columns: readonly Column<LiveEvent>[] = [
    { key: 'time', title: TEXTS.time, cell: ({ timestamp }) => <Time value={timestamp} /> },
    { key: 'event', title: TEXTS.event, cell: nameOf },
    {
      key: 'person',
      title: TEXTS.person,
      cell: ({ distinct_id }) => (
        <a href={`/project/${id}/person/${encodeURIComponent(distinct_id)}`}>{distinct_id}</a>
      ),
    },
    { key: 'page', title: TEXTS.page, cell: pageOf },
  ]
  const look = (event: { readonly currentTarget: HTMLElement }) => {
    const { currentTarget: area } = event
    const rows = area.querySelector('[data-key=rows]')
    const holds = area.matches(':hover') || area.contains(document.activeElement)
    onPause(holds || (rows?.scrollTop ?? 0) > 0)
  }
  return (
    // The rows handle their own keys; these handlers only notice that the list is in use.
    <div
      class="live-rows"
      aria-live="off"
      onPointerEnter={() => onPause(true)}
      onPointerLeave={look}
      onFocusIn={() => onPause(true)}
      onFocusOut={look}
      onScrollCapture={look}
    >
      <DataTable
        caption={TEXTS.rows}
        columns={columns}
        rows={events}
        keyOf={(event) => event.id}
        onOpen={onOpen}
      />
    </div>
  )
}

function nameOf({ event }: LiveEvent) {
  return (
    <strong>
      <Name of={event} />
    </strong>
  )
}

function pageOf({ properties }: LiveEvent): string {
  const page = properties['$pathname'] ?? properties['$screen_name'] ?? properties['$current_url']
  return typeof page === 'string' ? page : ''
}
