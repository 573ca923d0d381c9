import { formatNumber, formatPercent } from '../data/format.ts'

export type FunnelStep = {
  readonly key: string
  readonly label: string
  readonly count: number
  /** Beside the count: "2 min. on average". */
  readonly note?: string | undefined
}

type FunnelChartProps = {
  readonly title: string
  readonly steps: readonly FunnelStep[]
  /** Opens the actors that took a step (from 0), or only the one before. */
  readonly onOpen?: ((step: number, who: 'reached' | 'left') => void) | undefined
}

/** Funnel as a table: the number of actors in each step, with a bar beside it. */
export function FunnelChart({ title, steps, onOpen }: FunnelChartProps) {
  const first = steps[0]?.count ?? 0
  return (
    <section class="table-frame" aria-label={title}>
      <table class="table funnel">
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="cell-end">
              Persons
            </th>
            <th scope="col" class="cell-end">
              Of the first
            </th>
            <th scope="col" class="cell-end">
              Left before it
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ key, label, count, note }, index) => {
            const before = steps[index - 1]?.count ?? count
            const share = first === 0 ? 0 : count / first
            return (
              <tr key={key}>
                <th scope="row">
                  <span class="funnel-step">
                    {index + 1}. {label}
                  </span>
                  <span class="funnel-bar tone-1">
                    <span style={{ inlineSize: `${share * 100}%` }} />
                  </span>
                  {note !== undefined && <span class="funnel-note">{note}</span>}
                </th>
                <td class="cell-end">
                  <Count value={count} open={onOpen && (() => onOpen(index, 'reached'))} />
                </td>
                <td class="cell-end">{formatPercent(share)}</td>
                <td class="cell-end">
                  {index === 0 ? (
                    '–'
                  ) : (
                    <Count value={before - count} open={onOpen && (() => onOpen(index, 'left'))} />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

type CountProps = { readonly value: number; readonly open: (() => void) | undefined }

function Count({ value, open }: CountProps) {
  if (open === undefined) return <>{formatNumber(value)}</>
  return (
    <button type="button" class="link figure" onClick={open}>
      {formatNumber(value)}
    </button>
  )
}
