import type { JsonObject } from '../../../../client/index.ts'
import { isRecord } from '../../../data/json.ts'
import { Button } from '../../../kit/button.tsx'
import { Select } from '../../../kit/field.tsx'
import {
  type Changes,
  changed,
  changedIn,
  listIn,
  memberOf,
  numberIn,
  seriesOf,
  textIn,
} from '../../../questions/question.ts'
import type { EditProps } from '../edit.ts'
import { EventField, NumberField } from '../fields.tsx'
import { ORDERS, SHAPES, FUNNEL_TEXTS as TEXTS, UNITS } from './funnel-texts.ts'

const WINDOW_MAX = 100_000
const EXCLUSIONS_MAX = 10

export function FunnelSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'funnelsFilter')
  const set = (changes: Changes) => onChange(changedIn(question, 'funnelsFilter', changes))
  const setShape = (shape: string) => {
    // Each shape has members of its own.
    const ends = shape === 'steps' ? { funnelFromStep: undefined, funnelToStep: undefined } : {}
    const next = changedIn(question, 'funnelsFilter', { funnelVizType: shape, ...ends })
    onChange(shape === 'trends' ? next : changed(next, { interval: undefined }))
  }
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <Select
        label={TEXTS.shape}
        options={SHAPES}
        value={textIn(filter, 'funnelVizType', 'steps')}
        onChange={({ currentTarget: { value } }) => setShape(value)}
      />
      <Select
        label={TEXTS.order}
        options={ORDERS}
        value={textIn(filter, 'funnelOrderType', 'ordered')}
        onChange={({ currentTarget: { value } }) => set({ funnelOrderType: value })}
      />
      <div class="insight-pair">
        <NumberField
          label={TEXTS.within}
          min={1}
          max={WINDOW_MAX}
          value={numberIn(filter, 'funnelWindowInterval', 14)}
          onCommit={(value) => set({ funnelWindowInterval: value })}
        />
        <Select
          label={TEXTS.unit}
          options={UNITS}
          value={textIn(filter, 'funnelWindowIntervalUnit', 'day')}
          onChange={({ currentTarget: { value } }) => set({ funnelWindowIntervalUnit: value })}
        />
      </div>
      <Exclusions
        steps={seriesOf(question).length}
        exclusions={listIn(filter, 'exclusions').filter(isRecord)}
        onChange={(all) => set({ exclusions: all.length === 0 ? undefined : all })}
      />
    </fieldset>
  )
}

type ExclusionsProps = {
  readonly steps: number
  readonly exclusions: readonly JsonObject[]
  readonly onChange: (exclusions: readonly JsonObject[]) => void
}

function Exclusions({ steps, exclusions, onChange }: ExclusionsProps) {
  return (
    <>
      {exclusions.map((exclusion, index) => (
        <Exclusion
          key={index}
          steps={steps}
          exclusion={exclusion}
          onChange={(next) =>
            onChange(exclusions.map((each, at) => (at === index ? next : each)).filter(isRecord))
          }
        />
      ))}
      {exclusions.length < EXCLUSIONS_MAX && (
        <Button
          tone="quiet"
          icon="plus"
          onClick={() =>
            onChange([
              ...exclusions,
              { event: '$pageview', funnelFromStep: 0, funnelToStep: steps - 1 },
            ])
          }
        >
          {TEXTS.addExclusion}
        </Button>
      )}
    </>
  )
}

type ExclusionProps = {
  readonly steps: number
  readonly exclusion: JsonObject
  readonly onChange: (exclusion: JsonObject | undefined) => void
}

function Exclusion({ steps, exclusion, onChange }: ExclusionProps) {
  const from = numberIn(exclusion, 'funnelFromStep', 0)
  const to = numberIn(exclusion, 'funnelToStep', steps - 1)
  const place = (name: string, value: number) => {
    const next = { funnelFromStep: from, funnelToStep: to, [name]: value }
    // The second step stays after the first.
    onChange(
      changed(exclusion, {
        funnelFromStep: name === 'funnelToStep' ? Math.min(from, value - 1) : next.funnelFromStep,
        funnelToStep: name === 'funnelFromStep' ? Math.max(to, value + 1) : next.funnelToStep,
      }),
    )
  }
  return (
    <div class="insight-exclusion">
      <EventField
        label={TEXTS.exclusions}
        value={textIn(exclusion, 'event')}
        onCommit={(event) => event !== null && onChange(changed(exclusion, { event }))}
      />
      <div class="insight-pair">
        <Select
          label={TEXTS.fromStep}
          value={String(from)}
          options={stepsOf(0, steps - 1)}
          onChange={({ currentTarget: { value } }) => place('funnelFromStep', Number(value))}
        />
        <Select
          label={TEXTS.toStep}
          value={String(to)}
          options={stepsOf(1, steps)}
          onChange={({ currentTarget: { value } }) => place('funnelToStep', Number(value))}
        />
      </div>
      <Button tone="quiet" onClick={() => onChange(undefined)}>
        {TEXTS.removeExclusion}
      </Button>
    </div>
  )
}

function stepsOf(first: number, end: number) {
  return Array.from({ length: end - first }, (_, at) => ({
    value: String(first + at),
    label: String(first + at + 1),
  }))
}
