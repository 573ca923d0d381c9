import '../styles/ranked.css'
import type { ComponentChildren } from 'preact'
import { formatNumber } from '../data/format.ts'

export type RankedItem = {
  readonly value: string
  readonly label: string
  readonly count: number
}

type RankedListProps = {
  readonly title: string
  /** Name of what the numbers count. */
  readonly counted?: string | undefined
  readonly items: readonly RankedItem[]
  /** Values that a filter holds already. */
  readonly chosen: ReadonlySet<string>
  /** A click chooses a value; with Alt it excludes it. */
  readonly onChoose: (value: string, isExcluded: boolean) => void
  /** Text shown when there are no items. */
  readonly empty: ComponentChildren
}

/** Values with their counts, the most frequent first; each is a filter. */
export function RankedList(props: RankedListProps) {
  const { title, counted, items, chosen, onChoose, empty } = props
  const most = Math.max(1, ...items.map(({ count }) => count))
  return (
    <section class="ranked" aria-label={title}>
      <h2>
        {title}
        {counted !== undefined && <small>{counted}</small>}
      </h2>
      {items.length === 0 ? (
        <p class="ranked-empty">{empty}</p>
      ) : (
        <ol>
          {items.map(({ value, label, count }) => (
            <li key={value}>
              <button
                type="button"
                class="ranked-item"
                aria-pressed={chosen.has(value)}
                title={`${label}: click filters, Alt and click excludes`}
                onClick={(event) => onChoose(value, event.altKey)}
              >
                <span class="ranked-bar" style={{ inlineSize: `${(count / most) * 100}%` }} />
                <span class="ranked-label">{label}</span>
                <span class="figure">{formatNumber(count)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
