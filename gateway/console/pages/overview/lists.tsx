import { labelOf as nameOf } from '../../../../src/core/charts/label.ts'
import type { TrendRow } from '../../../../src/core/charts/trends.ts'
import { type Answer, isAnswered } from '../../data/questions.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { type RankedItem, RankedList } from '../../kit/ranked-list.tsx'
import { filterOfList, LISTS, type Ranked } from './overview-questions.ts'
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts'

type ListsProps = {
  /** In the order of the lists. */
  readonly answers: readonly object[]
  readonly filters: readonly PropertyFilter[]
  readonly onChoose: (list: Ranked, value: string, isExcluded: boolean) => void
}

/** Six lists; each row is a filter. */
export function Lists({ answers, filters, onChoose }: ListsProps) {
  return (
    <div class="overview-lists">
      {LISTS.map((list, index) => (
        <RankedList
          key={list.key}
          title={list.title}
          counted={list.event === null ? TEXTS.events : TEXTS.calls}
          items={itemsOf(answers[index], list)}
          chosen={chosenOf(filters, list)}
          onChoose={(value, isExcluded) => onChoose(list, value, isExcluded)}
          empty={emptyOf(answers[index], list)}
        />
      ))}
    </div>
  )
}

/** Rows behind the values: events without one, and all others. */
const NO_VALUE = /^\$\$_posthog_breakdown_/

function itemsOf(answer: object | undefined, { property }: Ranked): readonly RankedItem[] {
  if (!isAnswered(answer)) return []
  return (answer as Answer<TrendRow>).results
    .filter(({ breakdown_value = '' }) => !NO_VALUE.test(String(breakdown_value)))
    .map(({ breakdown_value = '', breakdown_label, aggregated_value, count }) => ({
      value: String(breakdown_value),
      label: breakdown_label ?? labelOf(property, String(breakdown_value)),
      count: aggregated_value ?? count,
    }))
}

function emptyOf(answer: object | undefined, { key }: Ranked): string {
  if (!isAnswered(answer)) return TEXTS.notAnswered
  return key === 'flags' ? TEXTS.noFlags : TEXTS.noValues
}

function labelOf(property: string, value: string): string {
  if (property === '$referring_domain' && value === '$direct') return TEXTS.direct
  return property === '$event' ? nameOf(value) : value
}

function chosenOf(filters: readonly PropertyFilter[], list: Ranked): ReadonlySet<string> {
  const { type, key } = filterOfList(list)
  const held = filters.filter(
    (filter) => filter.type === type && filter.key === key && filter.operator === 'exact',
  )
  return new Set(held.flatMap(({ value = [] }) => value))
}
