import { useState } from 'preact/hooks'
import { navigate } from 'wouter-preact/use-browser-location'
import { createSavedInsight } from '../../../client/index.ts'
import './events.css'
import { client } from '../../data/client.ts'
import { formatTime } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { useQuery } from '../../data/url.ts'
import { Button } from '../../kit/button.tsx'
import { NameDialog } from '../../kit/dialogs/asks.ts'
import { Empty, FirstEvent } from '../../kit/empty.tsx'
import { eventFiltersOf, parametersOf, textOfList } from '../../kit/filters/event-filters.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { toggled } from '../../kit/filters/toggled.ts'
import { later } from '../../kit/later.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Menu } from '../../kit/menu.tsx'
import { More } from '../../kit/more.tsx'
import { PageHead } from '../../kit/page-head.tsx'
import { TableSkeleton } from '../../kit/skeleton.tsx'
import { toast } from '../../kit/toasts.tsx'
import {
  type Asked,
  askedOf,
  COLUMNS,
  csvPath,
  isGrouped,
  nextOrder,
  rowsQuery,
  savedQuery,
} from './events-question.ts'
import { type FoundRows, useRows } from './events-rows.ts'
import { EventsTable } from './events-table.tsx'
import { expressionProblem, splitAt } from './expression-problem.ts'
import { Facet } from './facet.tsx'
import { RANGES, EVENTS_TEXTS as TEXTS } from './texts.ts'
import { WhereBar } from './where-bar.tsx'

const EventDrawer = later(
  async () => (await import('../../kit/drawers/event-drawer.tsx')).EventDrawer,
)
const ColumnsDialog = later(async () => (await import('./columns-dialog.tsx')).ColumnsDialog)

export default function EventsPage() {
  const { id } = useProject()
  const [query, setQuery] = useQuery()
  const asked = askedOf(query)
  const found = useRows(id, asked)
  const problem = expressionProblem(found.paged.first.error, asked)
  const setFilters = (all: readonly PropertyFilter[]) => setQuery(parametersOf(all))
  const filters = eventFiltersOf(query)
  const opened = query.get('open')
  return (
    <>
      <EventsHead project={id} asked={asked} />
      <WhereBar
        where={asked.where}
        properties={asked.properties}
        problem={problem?.list === 'where' ? problem : undefined}
        onChange={(where) => setQuery({ where: textOfList(where) })}
        onFilters={setFilters}
      />
      {problem !== undefined && problem.list !== 'where' && (
        <p class="events-problem">
          {`${problem.list}: `}
          <Underlined text={problem.text} at={problem.at} />
        </p>
      )}
      <div class="events-body">
        <Facet
          asked={asked}
          filters={filters}
          onChoose={({ type, key }, value, isExcluded) =>
            setFilters(toggled(filters, key, value, isExcluded, type))
          }
        />
        <div class="events-list">
          <EventsList project={id} asked={asked} found={found} />
        </div>
      </div>
      {opened !== null && <EventDrawer id={opened} onClose={() => setQuery({ open: undefined })} />}
    </>
  )
}

type EventsHeadProps = { readonly project: number; readonly asked: Asked }

function EventsHead({ project, asked }: EventsHeadProps) {
  const [, setQuery] = useQuery()
  const [isChoosing, setChoosing] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const range = RANGES.find(({ value }) => value === asked.after)
  const body = JSON.stringify({ query: rowsQuery(asked, { offset: 0 }) })
  return (
    <>
      <PageHead
        title={TEXTS.title}
        call={{ verb: 'POST', path: `/api/projects/${project}/query/`, body }}
      >
        <Menu
          label={TEXTS.range}
          items={RANGES.map(({ value, label }) => ({
            label,
            isChosen: value === asked.after,
            onSelect: () => setQuery({ after: value }),
          }))}
        >
          {range?.label ?? asked.after}
        </Menu>
        <Button onClick={() => setChoosing(true)}>{TEXTS.columns}</Button>
        <a class="button button-plain" download="events.csv" href={csvPath(project, asked)}>
          {TEXTS.csv}
        </a>
        <Button onClick={() => setSaving(true)}>{TEXTS.save}</Button>
      </PageHead>
      {isSaving && (
        <NameDialog
          title={TEXTS.saveTitle}
          label={TEXTS.name}
          action={TEXTS.save}
          onClose={() => setSaving(false)}
          onSubmit={async (name) => {
            const made = { project_id: project, name, query: savedQuery(asked) }
            const { short_id: shortId } = await createSavedInsight(client, made)
            navigate(`/project/${project}/insights/${shortId}`)
            toast(TEXTS.saved)
          }}
        />
      )}
      {isChoosing && (
        <ColumnsDialog
          columns={asked.select}
          onClose={() => setChoosing(false)}
          onSave={(columns) => {
            setChoosing(false)
            const isStandard = columns.join('\n') === COLUMNS.join('\n')
            setQuery({ select: isStandard ? undefined : textOfList(columns) })
          }}
        />
      )}
    </>
  )
}

type EventsListProps = EventsHeadProps & { readonly found: FoundRows }

function EventsList({ project, asked, found }: EventsListProps) {
  const { timezone } = useProject()
  const [, setQuery] = useQuery()
  const { paged, rows, types, hasMore } = found
  const { first, error, loadMore } = paged
  const isFiltered = asked.where.length + asked.properties.length > 0 || asked.after !== undefined
  const open = isGrouped(asked) ? undefined : (id: string | undefined) => setQuery({ open: id })
  return (
    <Loaded
      of={first}
      skeleton={<TableSkeleton rows={14} />}
      isEmpty={({ results }) => results.length === 0}
      empty={<Nothing project={project} isFiltered={isFiltered} />}
    >
      {({ count }) => (
        <>
          <EventsTable
            project={project}
            asked={asked}
            rows={rows}
            types={types}
            onSort={(column) => setQuery({ orderBy: nextOrder(asked, column) })}
            onOpen={open && (({ id }) => open(id))}
            onEnd={hasMore && error === undefined ? loadMore : undefined}
          />
          <More of={paged} hasMore={hasMore}>
            {TEXTS.shown(rows.length, count)}
            {first.at !== undefined && `, ${TEXTS.counted(formatTime(first.at, timezone))}`}
          </More>
        </>
      )}
    </Loaded>
  )
}

type NothingProps = { readonly project: number; readonly isFiltered: boolean }

function Nothing({ project, isFiltered }: NothingProps) {
  const [, setQuery] = useQuery()
  if (!isFiltered) {
    return (
      <Empty title={TEXTS.emptyTitle} action={<FirstEvent project={project} />}>
        {TEXTS.empty}
      </Empty>
    )
  }
  const clear = (
    <Button onClick={() => setQuery({ ...parametersOf([]), after: undefined })}>
      {TEXTS.clear}
    </Button>
  )
  return (
    <Empty title={TEXTS.noneTitle} action={clear}>
      {TEXTS.none}
    </Empty>
  )
}

/** An expression with its error underlined. */
function Underlined({ text, at }: { readonly text: string; readonly at: number }) {
  const [before, word, rest] = splitAt(text, at)
  return (
    <code>
      {before}
      <u class="events-wrong">{word === '' ? '\u00a0' : word}</u>
      {rest}
    </code>
  )
}
