import '../../styles/ranked.css'
import { useState } from 'preact/hooks'
import { formatNumber, formatPercent } from '../../data/format.ts'
import { isAnswered } from '../../data/questions.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { later } from '../../kit/later.tsx'
import { changeOf, filterValue, labelOfValue, type Panel, tabOf } from './panels.ts'
import { WEB_TEXTS as TEXTS } from './texts.ts'
import { type AskedWeb, LISTED, type StatsRow } from './web-questions.ts'
import { WorldMap } from './world-map.tsx'

const DetailsDialog = later(async () => (await import('./details-dialog.tsx')).DetailsDialog)

type WebPanelProps = {
  readonly panel: Panel
  readonly asked: AskedWeb
  readonly answer: object | undefined
  /** Visitors of the range, which rows are parts of. */
  readonly visitors: number
  readonly onTab: (by: string) => void
  /** Undefined for viewers, who choose no filters. */
  readonly onChoose: OnChoose | undefined
}

/** @param value undefined for a row without a value. */
type OnChoose = (
  filter: Pick<PropertyFilter, 'type' | 'key'>,
  value: string | undefined,
  isExcluded: boolean,
) => void

/** A panel with its tabs; each row is a filter. */
export function WebPanel({ panel, asked, answer, visitors, onTab, onChoose }: WebPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const tab = tabOf(panel, asked.tabs[panel.key] ?? null)
  const rows: readonly StatsRow[] = isAnswered(answer) ? answer.results : []
  const most = Math.max(1, ...rows.map(([, [own]]) => own ?? 0))
  return (
    <section class="ranked web-panel" aria-label={panel.title}>
      <header class="web-panel-head">
        <h2>{panel.title}</h2>
        <div class="web-tabs">
          {panel.tabs.map(({ by, label }) => (
            <button
              key={by}
              type="button"
              class="web-tab"
              aria-pressed={by === tab.by}
              onClick={() => onTab(by)}
            >
              {label}
            </button>
          ))}
        </div>
      </header>
      {rows.length === 0 ? (
        <p class="ranked-empty">{isAnswered(answer) ? TEXTS.noValues : TEXTS.notAnswered}</p>
      ) : (
        <>
          {tab.by === 'Country' && (
            <WorldMap
              rows={rows}
              most={most}
              onChoose={
                onChoose &&
                ((country, isExcluded) => tab.filter && onChoose(tab.filter, country, isExcluded))
              }
            />
          )}
          <p class="web-columns" aria-hidden="true">
            <span>{tab.label}</span>
            <span>{TEXTS.visitors}</span>
          </p>
          <ol>
            {rows.slice(0, LISTED).map((row) => (
              <li key={JSON.stringify(row[0])}>
                <Row
                  row={row}
                  most={most}
                  all={visitors}
                  by={tab.by}
                  chosen={isChosen(asked.filters, tab.filter, filterValue(row[0]))}
                  onChoose={
                    tab.filter &&
                    onChoose &&
                    ((isExcluded) =>
                      tab.filter && onChoose(tab.filter, filterValue(row[0]), isExcluded))
                  }
                />
              </li>
            ))}
          </ol>
          {onChoose !== undefined && (
            <button type="button" class="link web-more" onClick={() => setOpen(true)}>
              {TEXTS.more}
            </button>
          )}
        </>
      )}
      {isOpen && (
        <DetailsDialog panel={panel} tab={tab} asked={asked} onClose={() => setOpen(false)} />
      )}
    </section>
  )
}

type RowProps = {
  readonly row: StatsRow
  readonly by: string
  readonly most: number
  readonly all: number
  readonly chosen: boolean
  readonly onChoose: ((isExcluded: boolean) => void) | undefined
}

function Row({ row, by, most, all, chosen, onChoose }: RowProps) {
  const [value, [visitors, before], , , , , [rate = null] = []] = row
  const label = labelOfValue(by, value)
  const count = visitors ?? 0
  const notes = [
    before === null ? '' : changeOf(count, before),
    all === 0 ? '' : formatPercent(count / all),
    rate === null ? '' : TEXTS.converted(formatPercent(rate)),
  ]
  const content = (
    <>
      <span class="ranked-bar" style={{ inlineSize: `${(count / most) * 100}%` }} />
      <span class="ranked-label">{label}</span>
      <span class="figure">
        <small class="web-change">{notes.filter(Boolean).join(' · ')}</small>
        {formatNumber(count)}
      </span>
    </>
  )
  if (onChoose === undefined) return <div class="ranked-item web-plain">{content}</div>
  return (
    <button
      type="button"
      class="ranked-item"
      aria-pressed={chosen}
      title={`${label}: ${TEXTS.hint}`}
      onClick={(event) => onChoose(event.altKey)}
    >
      {content}
    </button>
  )
}

function isChosen(
  filters: readonly PropertyFilter[],
  of: Pick<PropertyFilter, 'type' | 'key'> | undefined,
  value: string | undefined,
): boolean {
  return filters.some(
    ({ type, key, operator, value: held = [] }) =>
      type === of?.type &&
      key === of.key &&
      (value === undefined
        ? operator === 'is_not_set'
        : operator === 'exact' && [held].flat().includes(value)),
  )
}
