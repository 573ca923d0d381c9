import type { ComponentChildren } from 'preact'
import type { Json } from '../../../client/index.ts'
import { cut } from '../../data/format.ts'
import { isRecord } from '../../data/json.ts'
import { nameOfActor } from '../../data/questions.ts'
import { DataTable } from '../../kit/data-table.tsx'
import { Name } from '../../kit/names/name.tsx'
import type { Column } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { type Asked, bareOf, directionOf, titleOf } from './events-question.ts'
import type { EventRow } from './events-rows.ts'
import { EVENTS_TEXTS as TEXTS } from './texts.ts'

/** Longest text of a cell; the opened row shows the rest. */
const CELL_CHARS_MAX = 400

type EventsTableProps = {
  readonly project: number
  readonly asked: Asked
  readonly rows: readonly EventRow[]
  readonly types: readonly string[]
  readonly onSort: (column: string) => void
  readonly onOpen: ((row: EventRow) => void) | undefined
  readonly onEnd: (() => void) | undefined
}

export function EventsTable(props: EventsTableProps) {
  const { project, asked, rows, types, onSort, onOpen, onEnd } = props
  const columns = asked.select.map((expression, at): Column<EventRow> => {
    const bare = bareOf(expression)
    const type = types[at] ?? ''
    const isNumber = /^(?:U?Int|Float|Decimal)/.test(type)
    return {
      key: expression,
      title: titleOf(expression),
      align: isNumber ? 'end' : 'start',
      cell: ({ cells }) => cellOf(project, bare, type, cells[at] ?? null),
      ...(bare === 'person'
        ? {}
        : { sort: { direction: directionOf(asked, bare), onSort: () => onSort(bare) } }),
    }
  })
  return (
    <DataTable
      caption={TEXTS.rows}
      columns={columns}
      rows={rows}
      onOpen={onOpen}
      onEnd={onEnd}
      keyOf={({ id, cells }) => id ?? JSON.stringify(cells)}
    />
  )
}

function cellOf(project: number, column: string, type: string, value: Json): ComponentChildren {
  if (value === null) return <span class="events-null">null</span>
  if (isRecord(value)) {
    if (column !== 'person') return <code>{cut(JSON.stringify(value), CELL_CHARS_MAX)}</code>
    const id = String(value['distinct_id'] ?? '')
    const person = { properties: value['properties'] ?? {}, distinct_ids: [id] }
    return <PersonLink project={project} id={id} name={nameOfActor(person)} />
  }
  const whole = typeof value === 'string' ? value : JSON.stringify(value)
  const text = cut(whole, CELL_CHARS_MAX)
  if (type === 'DateTime' && !Number.isNaN(Date.parse(text))) return <Time value={text} />
  if (column === 'event') {
    return (
      <strong>
        <Name of={text} />
      </strong>
    )
  }
  return column === 'distinct_id' ? <PersonLink project={project} id={text} name={text} /> : text
}

type PersonLinkProps = { readonly project: number; readonly id: string; readonly name: string }

function PersonLink({ project, id, name }: PersonLinkProps) {
  return <a href={`/project/${project}/person/${encodeURIComponent(id)}`}>{name}</a>
}
