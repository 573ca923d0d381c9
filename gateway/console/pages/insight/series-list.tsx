import type { JsonObject } from '../../../client/index.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { Menu } from '../../kit/menu.tsx'
import { changed, kindOf, seriesOf, textIn } from '../../questions/question.ts'
import { letterOf } from '../../questions/sentence.ts'
import type { EditProps } from './edit.ts'
import { EventField, PropertyField } from './fields.tsx'
import { OwnFilters } from './filters.tsx'
import { MATHS, INSIGHT_TEXTS as TEXTS } from './texts.ts'

const SERIES_MAX = 10
const STEPS_MAX = 20
const PROPERTY_MATHS = /^(?:sum|avg|min|max|median|p\d+)$/

/** The events that a question counts, or the steps of a funnel. */
export function SeriesList({ question, onChange }: EditProps) {
  const kind = kindOf(question)
  const series = seriesOf(question)
  const isFunnel = kind === 'FunnelsQuery'
  const [least, most] = isFunnel ? [2, STEPS_MAX] : [1, kind === 'LifecycleQuery' ? 1 : SERIES_MAX]
  const set = (next: readonly JsonObject[]) => onChange(changed(question, { series: next }))
  return (
    <fieldset class="insight-part">
      <legend>{isFunnel ? TEXTS.steps : TEXTS.series}</legend>
      <ol class="insight-series">
        {series.map((node, index) => (
          <li key={index} class="insight-node">
            <span class="insight-letter" aria-hidden="true">
              {isFunnel ? index + 1 : letterOf(index)}
            </span>
            <Node
              node={node}
              hasMath={kind === 'TrendsQuery'}
              onChange={(next) => set(series.map((each, at) => (at === index ? next : each)))}
            />
            <NodeMenu series={series} index={index} least={least} most={most} onChange={set} />
          </li>
        ))}
      </ol>
      {series.length < most && (
        <Button
          tone="quiet"
          icon="plus"
          onClick={() => set([...series, { kind: 'EventsNode', event: null }])}
        >
          {isFunnel ? TEXTS.addStep : TEXTS.addSeries}
        </Button>
      )}
    </fieldset>
  )
}

type NodeProps = {
  readonly node: JsonObject
  readonly hasMath: boolean
  readonly onChange: (node: JsonObject) => void
}

function Node({ node, hasMath, onChange }: NodeProps) {
  const math = textIn(node, 'math', 'total')
  const setMath = (next: string) => {
    const property = PROPERTY_MATHS.test(next)
      ? textIn(node, 'math_property', FIRST_PROPERTY)
      : undefined
    onChange(changed(node, { math: next, math_property: property }))
  }
  return (
    <div class="insight-fields">
      <EventField
        label={TEXTS.event}
        labelHidden
        value={textIn(node, 'event') || null}
        onCommit={(event) => onChange(changed(node, { event }))}
      />
      {hasMath && (
        <Select
          label={TEXTS.count}
          labelHidden
          options={MATHS}
          value={math}
          onChange={({ currentTarget: { value } }) => setMath(value)}
        />
      )}
      {hasMath && PROPERTY_MATHS.test(math) && (
        <PropertyField
          label={TEXTS.property}
          type="event"
          value={textIn(node, 'math_property')}
          onCommit={(property) => onChange(changed(node, { math_property: property }))}
        />
      )}
      <OwnFilters owner={node} onChange={onChange} />
    </div>
  )
}

/** Initial property, since a question needs one; the user chooses another. */
const FIRST_PROPERTY = 'amount'

type NodeMenuProps = {
  readonly series: readonly JsonObject[]
  readonly index: number
  readonly least: number
  readonly most: number
  readonly onChange: (series: readonly JsonObject[]) => void
}

function NodeMenu({ series, index, least, most, onChange }: NodeMenuProps) {
  const moved = (to: number) => {
    const rest = series.filter((_, at) => at !== index)
    return [...rest.slice(0, to), ...series.slice(index, index + 1), ...rest.slice(to)]
  }
  const items = [
    ...(index > 0 ? [{ label: TEXTS.up, onSelect: () => onChange(moved(index - 1)) }] : []),
    ...(index < series.length - 1
      ? [{ label: TEXTS.down, onSelect: () => onChange(moved(index + 1)) }]
      : []),
    ...(series.length < most
      ? [
          {
            label: TEXTS.copy,
            onSelect: () =>
              onChange(series.flatMap((each, at) => (at === index ? [each, each] : [each]))),
          },
        ]
      : []),
    ...(series.length > least
      ? [
          {
            label: TEXTS.remove,
            onSelect: () => onChange(series.filter((_, at) => at !== index)),
          },
        ]
      : []),
  ]
  if (items.length === 0) return null
  return <Menu label={`${TEXTS.more} ${letterOf(index)}`} icon="more" tone="quiet" items={items} />
}
