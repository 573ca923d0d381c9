import { shareOf } from '../../../src/core/charts/funnel.ts'
import { formatNumber, formatPercent } from '../data/format.ts'
import { Count } from './count.tsx'
import { toneOf } from './tone.ts'

export type FunnelGroup = {
  /** Value of the breakdown; undefined without one. */
  readonly name?: string | undefined
  /** One for each step. */
  readonly counts: readonly number[]
  /** Below each count: "2 min. on average". */
  readonly notes: readonly (string | undefined)[]
}

type FunnelChartProps = {
  readonly title: string
  readonly steps: readonly string[]
  readonly groups: readonly FunnelGroup[]
  /** Opens the actors that took a step (from 0), or only the one before. */
  readonly onOpen: ((group: number, step: number, who: 'reached' | 'left') => void) | undefined
}

/** Funnel: bars of the groups side by side in each step, above a table of their numbers. */
export function FunnelChart({ title, steps, groups, onOpen }: FunnelChartProps) {
  const isSplit = groups.some(({ name }) => name !== undefined)
  return (
    // Scrolled by keys as well as by a finger.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section class="table-frame" tabIndex={0} aria-label={title}>
      <table class="table funnel">
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            {isSplit && <td />}
            {steps.map((step, at) => (
              <th key={at} scope="col">
                <span class="funnel-bars" aria-hidden="true">
                  {groups.map(({ name, counts }, index) => (
                    <span key={index} class={`funnel-bar ${toneOf(index)}`} title={name}>
                      <span style={{ blockSize: `${shareOf(counts, at, 0) * 100}%` }} />
                    </span>
                  ))}
                </span>
                {at + 1}. {step}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) => (
            <tr key={index}>
              {isSplit && (
                <th scope="row" class={`result-group ${toneOf(index)}`}>
                  {group.name}
                </th>
              )}
              {steps.map((_, at) => (
                <Cell
                  key={at}
                  group={group}
                  at={at}
                  open={onOpen && ((who: 'reached' | 'left') => onOpen(index, at, who))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = {
  readonly group: FunnelGroup
  readonly at: number
  readonly open: ((who: 'reached' | 'left') => void) | undefined
}

/** Conversion from the first step and from the one before, and drop-off. */
function Cell({ group: { counts, notes }, at, open }: CellProps) {
  const count = counts[at] ?? 0
  const left = (counts[at - 1] ?? count) - count
  const ofBefore = shareOf(counts, at, at - 1)
  return (
    <td>
      <p>
        <Count open={open && (() => open('reached'))}>{formatNumber(count)}</Count>{' '}
        {formatPercent(shareOf(counts, at, 0))}
      </p>
      {at > 0 && (
        <>
          {at > 1 && <p class="funnel-note">{formatPercent(ofBefore)} of previous step</p>}
          <p class="funnel-note">
            <Count open={open && (() => open('left'))}>{formatNumber(left)}</Count> dropped off (
            {formatPercent(1 - ofBefore)})
          </p>
        </>
      )}
      {notes[at] !== undefined && <p class="funnel-note">{notes[at]}</p>}
    </td>
  )
}
