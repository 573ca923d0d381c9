import { useState } from 'preact/hooks'
import { formatNumber, formatPercent } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { ask } from '../../data/questions.ts'
import { useResource } from '../../data/resource.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Field } from '../../kit/field.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { changeOf, labelOfValue, type Panel, type PanelTab } from './panels.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'
import { type AskedWeb, type Pair, type StatsRow, statsQuery } from './web-questions.ts'

/** Rows that are read at most: the largest limit of the question. */
const ROWS_MAX = 1_000
const NONE: Pair = [null, null]

type DetailsDialogProps = {
  readonly panel: Panel
  readonly tab: PanelTab
  readonly asked: AskedWeb
  readonly onClose: () => void
}

/** All rows of a panel, with a search and a file. */
export function DetailsDialog({ panel, tab, asked, onClose }: DetailsDialogProps) {
  const { id } = useProject()
  const [search, setSearch] = useState('')
  const query = statsQuery(asked, tab, ROWS_MAX)
  const answer = useResource(`web ${id} ${JSON.stringify(query)}`, (signal) =>
    ask<StatsRow>(id, query, signal),
  )
  return (
    <Dialog title={`${panel.title}: ${tab.label}`} onClose={onClose}>
      <Loaded of={answer} skeleton={<Skeleton height={320} />}>
        {({ results }) => {
          const wanted = search.toLowerCase()
          const rows = results.filter(([value]) =>
            labelOfValue(tab.by, value).toLowerCase().includes(wanted),
          )
          return (
            <div class="web-details">
              <Field
                label={TEXTS.search}
                labelHidden={true}
                placeholder={TEXTS.search}
                type="search"
                value={search}
                onInput={({ currentTarget: { value } }) => setSearch(value)}
              />
              <Table
                caption={`${panel.title}: ${tab.label}`}
                columns={columnsOf(tab, asked.goal !== undefined)}
                rows={rows}
                keyOf={([value]) => JSON.stringify(value)}
              />
              <a class="link" download={`${tab.by}.csv`} href={csvOf(tab, rows)}>
                {TEXTS.download}
              </a>
            </div>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

function columnsOf({ by, label }: PanelTab, hasGoal: boolean): readonly Column<StatsRow>[] {
  const number = (key: string, title: string, pairOf: (row: StatsRow) => Pair) => ({
    key,
    title,
    align: 'end' as const,
    cell: (row: StatsRow) => formatNumber(pairOf(row)[0] ?? 0),
  })
  return [
    { key: 'value', title: label, cell: ([value]) => labelOfValue(by, value) },
    number('visitors', TEXTS.visitors, ([, visitors]) => visitors),
    {
      key: 'change',
      title: TEXTS.change,
      align: 'end',
      cell: ([, [now, before]]) => (before === null ? '' : changeOf(now ?? 0, before)),
    },
    number('views', TEXTS.views, ([, , views]) => views),
    {
      key: 'bounce',
      title: TEXTS.bounceRate,
      align: 'end',
      cell: ([, , , [rate]]) => (rate === null ? '' : formatPercent(rate)),
    },
    ...(hasGoal
      ? [
          number('unique', TEXTS.unique, (row) => row[5] ?? NONE),
          {
            key: 'rate',
            title: TEXTS.rate,
            align: 'end' as const,
            cell: ({ 6: [rate] = NONE }: StatsRow) => (rate === null ? '' : formatPercent(rate)),
          },
        ]
      : []),
  ]
}

/** Address of the rows as a file. Texts that a spreadsheet would run are quoted with `'`. */
function csvOf({ by, label }: PanelTab, rows: readonly StatsRow[]): string {
  const head = [label, TEXTS.visitors, TEXTS.views, TEXTS.bounceRate]
  const ofGoal = rows[0]?.[4] === undefined ? [] : [TEXTS.conversions, TEXTS.unique, TEXTS.rate]
  const lines = rows.map(([value, ...pairs]) =>
    [labelOfValue(by, value), ...pairs.map((pair) => pair?.[0] ?? '')].map(cellOf).join(','),
  )
  const text = [[...head, ...ofGoal].map(cellOf).join(','), ...lines].join('\r\n')
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${text}\r\n`)}`
}

function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
