import type { JsonObject } from '../../../client/index.ts'
import { Select } from '../../kit/field.tsx'
import { FilterChips } from '../../kit/filters/filter-chips.tsx'
import { later } from '../../kit/later.tsx'
import { Switch } from '../../kit/switch.tsx'
import { filtersIn } from '../../questions/filters-in.ts'
import { changed, changedIn, kindOf, memberOf, numberIn, textIn } from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { NumberField, PropertyField } from './fields.tsx'
import { ATTRIBUTIONS, BREAKDOWNS, INSIGHT_TEXTS as TEXTS } from './texts.ts'

type OwnFiltersProps = {
  readonly owner: JsonObject
  readonly onChange: (owner: JsonObject) => void
}

/** The filters of a question, or of one of its events. */
export function OwnFilters({ owner, onChange }: OwnFiltersProps) {
  const filters = filtersIn(owner)
  if (filters === undefined) return <p class="insight-note">{TEXTS.filtersAsJson}</p>
  return (
    <FilterChips
      filters={filters}
      onChange={(next) =>
        onChange(changed(owner, { properties: next.length === 0 ? undefined : [...next] }))
      }
    />
  )
}

/** Filters that hold for all events of the question. */
export function Filters({ question, onChange }: EditProps) {
  const isTable = kindOf(question) === 'EventsQuery'
  const leavesOut = question['filterTestAccounts'] === true
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.filters}</legend>
      <OwnFilters owner={question} onChange={onChange} />
      {!isTable && (
        <p class="insight-switch">
          <Switch
            label={TEXTS.testAccounts}
            checked={leavesOut}
            onChange={(on) => onChange(changed(question, { filterTestAccounts: on || undefined }))}
          />
          {TEXTS.testAccounts}
        </p>
      )}
    </fieldset>
  )
}

const VALUES_MAX = 25
const BreakdownCohorts = later(
  async () => (await import('./breakdown-cohorts-editor.tsx')).BreakdownCohorts,
)

/** Breakdown of the numbers by a property. */
export function Breakdown({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'breakdownFilter')
  const { breakdown } = filter
  const isNone = breakdown === undefined || breakdown === null
  const type = isNone ? '' : textIn(filter, 'breakdown_type', 'event')
  const isKnown = BREAKDOWNS.some(({ value }) => value === type)
  const set = (next: JsonObject | undefined) =>
    onChange(withAttribution(changed(question, { breakdownFilter: next })))
  const choose = (next: string) => {
    if (next === '') return set(undefined)
    if (next === 'cohort') return set({ breakdown: [], breakdown_type: next })
    const kept = typeof breakdown === 'string' && breakdown !== '$event' ? breakdown : FIRST[next]
    set({ breakdown: (next === 'event_metadata' ? '$event' : kept) ?? '', breakdown_type: next })
  }
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.breakdown}</legend>
      {isKnown ? (
        <Select
          label={TEXTS.breakdown}
          labelHidden
          options={BREAKDOWNS}
          value={type}
          onChange={({ currentTarget: { value } }) => choose(value)}
        />
      ) : (
        <p class="insight-note">{TEXTS.breakdownAsJson}</p>
      )}
      {(type === 'event' || type === 'person') && (
        <PropertyField
          label={TEXTS.property}
          type={type}
          value={String(breakdown)}
          onCommit={(property) => property !== '' && set(changed(filter, { breakdown: property }))}
        />
      )}
      {type === 'cohort' && (
        <BreakdownCohorts
          chosen={[breakdown ?? []].flat().map(Number)}
          onChange={(ids) => set(changed(filter, { breakdown: [...ids] }))}
        />
      )}
      {!isNone && isKnown && type !== 'cohort' && (
        <NumberField
          label={TEXTS.values}
          min={1}
          max={VALUES_MAX}
          value={numberIn(filter, 'breakdown_limit', VALUES_MAX)}
          onCommit={(limit) => set(changed(filter, { breakdown_limit: limit }))}
        />
      )}
      {!isNone && kindOf(question) === 'FunnelsQuery' && (
        <Attribution question={question} onChange={onChange} />
      )}
    </fieldset>
  )
}

/** Initial property by type. */
const FIRST: Readonly<Record<string, string>> = { event: '$browser', person: 'email' }

/** Removes the attribution where there is no breakdown. */
function withAttribution(question: JsonObject): JsonObject {
  if (question['breakdownFilter'] !== undefined) return question
  const none = { breakdownAttributionType: undefined, breakdownAttributionValue: undefined }
  return changedIn(question, 'funnelsFilter', none)
}

function Attribution({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'funnelsFilter')
  const value = textIn(filter, 'breakdownAttributionType', 'first_touch')
  const step = {
    value: 'step',
    label: `That of step ${numberIn(filter, 'breakdownAttributionValue', 0) + 1}`,
  }
  return (
    <Select
      label={TEXTS.attribution}
      value={value}
      options={value === 'step' ? [...ATTRIBUTIONS, step] : ATTRIBUTIONS}
      onChange={({ currentTarget: { value: next } }) =>
        onChange(
          changedIn(question, 'funnelsFilter', {
            breakdownAttributionType: next,
            breakdownAttributionValue: undefined,
          }),
        )
      }
    />
  )
}
