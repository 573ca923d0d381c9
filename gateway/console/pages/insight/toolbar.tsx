import { rangeOf } from '../../data/ranges.ts'
import { Select } from '../../kit/field.tsx'
import { CompareSelect } from '../../kit/ranges/compare-select.tsx'
import { DateRangePicker } from '../../kit/ranges/date-range.tsx'
import {
  changed,
  changedIn,
  displayOf,
  intervalIn,
  kindOf,
  memberOf,
  rangeTextOf,
  textIn,
  withRange,
} from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { COMPARED, DISPLAYS, INTERVALS, INSIGHT_TEXTS as TEXTS } from './texts.ts'

/** Range, interval and display of the question. */
export function Toolbar({ question, onChange }: EditProps) {
  const kind = kindOf(question)
  const isTrend = kind === 'TrendsQuery'
  return (
    <div class="insight-toolbar">
      <DateRangePicker
        value={rangeTextOf(question)}
        onChange={(range) => onChange(withRange(question, rangeOf(range)))}
      />
      {hasInterval(question) && (
        <Select
          label={TEXTS.interval}
          options={INTERVALS}
          value={intervalIn(question)}
          onChange={({ currentTarget: { value } }) =>
            onChange(changed(question, { interval: value }))
          }
        />
      )}
      {isTrend && (
        <Select
          label={TEXTS.display}
          options={DISPLAYS}
          value={shownDisplay(displayOf(question))}
          onChange={({ currentTarget: { value } }) =>
            onChange(changedIn(question, 'trendsFilter', { display: value }))
          }
        />
      )}
      {isTrend && <Compare question={question} onChange={onChange} />}
    </div>
  )
}

function Compare({ question, onChange }: EditProps) {
  const compare = memberOf(question, 'compareFilter')
  const asked = compare['compare'] === true ? textIn(compare, 'compare_to', 'period') : ''
  return (
    <CompareSelect
      label={TEXTS.compare}
      value={asked}
      options={COMPARED}
      disabled={asked === '' && rangeTextOf(question) === 'all'}
      onChange={(value) => {
        const to = value === 'period' ? {} : { compare_to: value }
        const compareFilter = value === '' ? undefined : { compare: true, ...to }
        onChange(changed(question, { compareFilter }))
      }}
    />
  )
}

/** Nearest display that can be chosen here. */
function shownDisplay(display: string): string {
  if (DISPLAYS.some(({ value }) => value === display)) return display
  return /Bar/.test(display) ? 'ActionsBar' : 'ActionsLineGraph'
}

function hasInterval(question: EditProps['question']): boolean {
  const kind = kindOf(question)
  if (kind === 'FunnelsQuery') {
    return textIn(memberOf(question, 'funnelsFilter'), 'funnelVizType') === 'trends'
  }
  return kind === 'TrendsQuery' || kind === 'StickinessQuery' || kind === 'LifecycleQuery'
}
