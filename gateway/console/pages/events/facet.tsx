import { useState } from 'preact/hooks'
import { labelOf } from '../../../../src/core/charts/label.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { useQueryState } from '../../data/url.ts'
import { propertyOf } from '../../kit/filters/expression.ts'
import { operandFilter } from '../../kit/filters/expression-filters.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { Picker } from '../../kit/picker/picker.tsx'
import { RankedList } from '../../kit/ranked-list.tsx'
import { type Asked, askRows, facetQuery, titleOf } from './events-question.ts'
import { EVENTS_TEXTS as TEXTS } from './texts.ts'

type FacetProps = {
  readonly asked: Asked
  readonly filters: readonly PropertyFilter[]
  readonly onChoose: (
    of: Pick<PropertyFilter, 'type' | 'key'>,
    value: string,
    isExcluded: boolean,
  ) => void
}

const FROM = ['metadata', 'event_property', 'person_property'] as const
const WIDE_PX = 1_200

/** The most frequent values of one property among the events that pass; each is a filter. */
export function Facet(props: FacetProps) {
  const [isOpen, setOpen] = useState(innerWidth >= WIDE_PX)
  return (
    <details
      class="events-facet"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{TEXTS.facet}</summary>
      {isOpen && <FacetValues {...props} />}
    </details>
  )
}

function FacetValues({ asked, filters, onChoose }: FacetProps) {
  const { id } = useProject()
  const [chosen, choose] = useQueryState('facet', 'event')
  const of = operandFilter(chosen) ?? { type: 'event_metadata', key: 'event' }
  const operand = of.type === 'event' || of.type === 'person' ? propertyOf(of.type, of.key) : of.key
  const nameOfValue = (value: string) => (operand === 'event' ? labelOf(value) : value)
  const query = facetQuery(asked, operand)
  const values = useResource(`facet ${id} ${JSON.stringify(query)}`, (signal) =>
    askRows(id, query, signal),
  )
  const held = filters.filter(
    ({ type, key, operator }) => type === of.type && key === of.key && operator === 'exact',
  )
  return (
    <div class={values.isStale && values.data !== undefined ? 'stale' : undefined}>
      <Picker
        label={TEXTS.facetOf}
        value={of.key}
        none=""
        from={FROM}
        onChoose={({ source, name }) =>
          choose(
            source === 'metadata'
              ? name
              : propertyOf(source === 'person_property' ? 'person' : 'event', name),
            { replace: true },
          )
        }
      />
      <RankedList
        title={titleOf(operand)}
        items={(values.data?.results ?? []).map(([value, count]) => ({
          value: String(value),
          label: nameOfValue(String(value)),
          count: Number(count),
        }))}
        chosen={new Set(held.flatMap(({ value = [] }) => value))}
        onChoose={(value, isExcluded) => onChoose(of, value, isExcluded)}
        empty={
          values.error !== undefined ? TEXTS.facetFailed : values.isLoading ? '…' : TEXTS.facetNone
        }
      />
    </div>
  )
}
