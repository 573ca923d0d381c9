import { formatSeconds } from '../../../../src/core/charts/duration.ts'
import { formatNumber } from '../../data/format.ts'
import type { JsonRecord } from '../../data/json.ts'
import { usePaged } from '../../data/paged.ts'
import { type Answer, ask } from '../../data/questions.ts'
import { quoted } from '../../kit/filters/expression.ts'
import { Loaded } from '../../kit/loaded.tsx'
import { More } from '../../kit/more.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { PERSON_TEXTS as TEXTS } from './texts.ts'

type Session = {
  /** Null where the events name none. */
  readonly session_id: string | null
  readonly start: string
  readonly events: number
  readonly properties: JsonRecord
}

const PAGE = 50

type SessionsProps = { readonly project: number; readonly uuid: string }

/** Sessions of the person, newest first. */
export function Sessions({ project, uuid }: SessionsProps) {
  const paged = usePaged<Answer<Session>>(`sessions-of ${project} ${uuid}`, (before, signal) => {
    const offset = before.length * PAGE
    const range = { date_from: 'all' }
    const page = { personId: uuid, limit: PAGE, offset, includeBots: true }
    return ask<Session>(project, { kind: 'SessionsQuery', dateRange: range, ...page }, signal)
  })
  const sessions = paged.pages.flatMap(({ results }) => results)
  return (
    <Loaded
      of={paged.first}
      skeleton={<TableSkeleton rows={10} />}
      isEmpty={({ results }) => results.length === 0}
      empty={<p class="person-none">{TEXTS.noSessions}</p>}
    >
      {() => (
        <>
          <Table
            caption={TEXTS.sessions}
            columns={columnsOf(project)}
            rows={sessions}
            keyOf={({ session_id: id, start }) => `${start} ${id}`}
          />
          <More of={paged} hasMore={paged.pages.at(-1)?.hasMore === true}>
            {TEXTS.sessionCount(sessions.length)}
          </More>
        </>
      )}
    </Loaded>
  )
}

function columnsOf(project: number): readonly Column<Session>[] {
  return [
    {
      key: 'start',
      title: TEXTS.began,
      cell: ({ session_id: id, start, properties }) => (
        <>
          {id !== null ? (
            <a href={eventsOf(project, id)}>
              <Time value={start} />
            </a>
          ) : (
            <Time value={start} />
          )}
          <span class="person-device">
            {['$device_type', '$browser', '$os']
              .map((name) => properties[name])
              .filter(Boolean)
              .join(', ')}
          </span>
        </>
      ),
    },
    {
      key: 'duration',
      title: TEXTS.duration,
      align: 'end',
      cell: ({ properties }) => formatSeconds(Number(properties['$session_duration'] ?? 0)),
    },
    {
      key: 'views',
      isWide: true,
      title: TEXTS.pageViews,
      align: 'end',
      cell: ({ properties }) => formatNumber(Number(properties['$pageview_count'] ?? 0)),
    },
    { key: 'entry', title: TEXTS.entry, cell: textOf('$entry_pathname') },
    { key: 'source', isWide: true, title: TEXTS.source, cell: textOf('$channel_type') },
  ]
}

function eventsOf(project: number, session: string): string {
  const where = `properties.$session_id = ${quoted(session)}`
  return `/project/${project}/events?where=${encodeURIComponent(where)}`
}

function textOf(name: string) {
  return ({ properties }: Session) => String(properties[name] ?? '–')
}
