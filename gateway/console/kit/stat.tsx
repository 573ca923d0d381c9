import '../styles/stat.css'
import { formatNumber, formatPercent } from '../data/format.ts'

type StatProps = {
  readonly label: string
  readonly value: number
  /** Value of the previous range; undefined where there is none. */
  readonly before?: number | undefined
  /** @default formatNumber */
  readonly format?: (value: number) => string
  /** Whether more is good news, which gives the change a colour; without it, it has none. */
  readonly isMoreGood?: boolean
  /** Whether this figure is chosen, where several belong to one chart. */
  readonly isChosen?: boolean
  readonly onChoose?: () => void
  /** Address of the page with the details. */
  readonly href?: string
}

/** A number with its change. */
export function Stat(props: StatProps) {
  const {
    label,
    value,
    before,
    format = formatNumber,
    isMoreGood,
    isChosen,
    onChoose,
    href,
  } = props
  const isGood =
    before === undefined || before === value ? undefined : value > before === isMoreGood
  const tone =
    isMoreGood === undefined || isGood === undefined ? '' : isGood ? ' is-good' : ' is-bad'
  const content = (
    <>
      <span class="stat-label">{label}</span>
      <span class="stat-value figure">{format(value)}</span>
      <span class={`stat-change figure${tone}`}>
        {before === undefined ? '' : changeOf(value, before, format)}
      </span>
    </>
  )
  if (href !== undefined) {
    return (
      <a class="stat" href={href}>
        {content}
      </a>
    )
  }
  if (onChoose === undefined) return <div class="stat">{content}</div>
  return (
    <button type="button" class="stat" aria-pressed={isChosen} onClick={onChoose}>
      {content}
    </button>
  )
}

function changeOf(value: number, before: number, format: (value: number) => string): string {
  if (before === value) return 'as before'
  if (before === 0) return 'none before'
  const share = (value - before) / before
  return `${share > 0 ? '↑' : '↓'} ${formatPercent(Math.abs(share))}, was ${format(before)}`
}
