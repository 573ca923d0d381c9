import map from 'world-map.svg'
import { formatNumber } from '../../data/format.ts'
import { labelOfValue } from './panels.ts'
import type { StatsRow } from './web-questions.ts'

const MAP = new URL(map, import.meta.url).href
const COUNTRY = /^[A-Z]{2}$/

type WorldMapProps = {
  readonly rows: readonly StatsRow[]
  /** Visitors of the country with the most. */
  readonly most: number
  /** Undefined for viewers. */
  readonly onChoose: ((country: string, isExcluded: boolean) => void) | undefined
}

/** Countries by visitors, for the eye and the pointer: the list beside it says the same. */
export function WorldMap({ rows, most, onChoose }: WorldMapProps) {
  return (
    <svg
      class={`web-map${onChoose === undefined ? ' web-plain' : ''}`}
      viewBox="0 0 1000 435"
      aria-hidden="true"
    >
      <use href={`${MAP}#all`} />
      {rows.map(([value, [visitors]]) => {
        if (typeof value !== 'string' || !COUNTRY.test(value)) return null
        const count = visitors ?? 0
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: rows of the list do the same by keys
          <use
            key={value}
            href={`${MAP}#${value}`}
            fill-opacity={0.3 + 0.7 * Math.sqrt(count / most)}
            onClick={onChoose && ((event) => onChoose(value, event.altKey))}
          >
            <title>{`${labelOfValue('Country', value)}: ${formatNumber(count)}`}</title>
          </use>
        )
      })}
    </svg>
  )
}
