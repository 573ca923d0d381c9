/** What questions of one kind have besides. */
import { isRecord } from '../../data/json.ts'
import { Select, TextArea } from '../../kit/field.tsx'
import { Switch } from '../../kit/switch.tsx'
import {
  type Changes,
  changed,
  changedIn,
  listIn,
  memberOf,
  numberIn,
  textIn,
} from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { EventField, NumberField, TextField } from './fields.tsx'
import { PATH_TYPES, PERIODS, RETENTION_TYPES, INSIGHT_TEXTS as TEXTS } from './texts.ts'

const INTERVALS_MAX = 100

export function RetentionSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'retentionFilter')
  const set = (changes: Changes) => onChange(changedIn(question, 'retentionFilter', changes))
  const eventOf = (name: string) => {
    const entity = filter[name]
    return isRecord(entity) ? textIn(entity, 'id') || null : '$pageview'
  }
  const entity = (id: string | null) => ({ id, type: 'events' })
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <EventField
        {...{ label: TEXTS.target, value: eventOf('targetEntity') }}
        onCommit={(event) => set({ targetEntity: entity(event) })}
      />
      <EventField
        {...{ label: TEXTS.returning, value: eventOf('returningEntity') }}
        onCommit={(event) => set({ returningEntity: entity(event) })}
      />
      <div class="insight-pair">
        <Select
          {...{ label: TEXTS.period, options: PERIODS, value: textIn(filter, 'period', 'Day') }}
          onChange={({ currentTarget: { value } }) => set({ period: value })}
        />
        <NumberField
          {...{ label: TEXTS.intervals, min: 1, max: INTERVALS_MAX }}
          value={numberIn(filter, 'totalIntervals', 8)}
          onCommit={(value) => set({ totalIntervals: value })}
        />
      </div>
      <Select
        {...{ label: TEXTS.first, options: RETENTION_TYPES }}
        value={textIn(filter, 'retentionType', 'retention_recurring')}
        onChange={({ currentTarget: { value } }) => set({ retentionType: value })}
      />
      <p class="insight-switch">
        <Switch
          {...{ label: TEXTS.cumulative, checked: filter['cumulative'] === true }}
          onChange={(on) => set({ cumulative: on || undefined })}
        />
        {TEXTS.cumulative}
      </p>
    </fieldset>
  )
}

const PATH_STEPS_MAX = 50
const EDGES_MAX = 1000

export function PathsSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'pathsFilter')
  const set = (changes: Changes) => onChange(changedIn(question, 'pathsFilter', changes))
  const types = listIn(filter, 'includeEventTypes').map(String)
  const choose = (type: string, isIn: boolean) => {
    const next = PATH_TYPES.map(({ value }) => value).filter((value) =>
      value === type ? isIn : types.includes(value),
    )
    set({ includeEventTypes: next.length === 0 ? undefined : next })
  }
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <TextField
        {...{ label: TEXTS.start, hint: TEXTS.ofPath, value: textIn(filter, 'startPoint') }}
        onCommit={(text) => set({ startPoint: text || undefined })}
      />
      <TextField
        {...{ label: TEXTS.end, hint: TEXTS.ofPath, value: textIn(filter, 'endPoint') }}
        onCommit={(text) => set({ endPoint: text || undefined })}
      />
      <div class="insight-pair">
        <NumberField
          {...{ label: TEXTS.stepLimit, min: 2, max: PATH_STEPS_MAX }}
          value={numberIn(filter, 'stepLimit', 5)}
          onCommit={(value) => set({ stepLimit: value })}
        />
        <NumberField
          {...{ label: TEXTS.edgeLimit, min: 1, max: EDGES_MAX }}
          value={numberIn(filter, 'edgeLimit', 50)}
          onCommit={(value) => set({ edgeLimit: value })}
        />
      </div>
      <fieldset class="insight-checks">
        <legend class="field-label">{TEXTS.types}</legend>
        {PATH_TYPES.map(({ value, label }) => (
          <label key={value} class="insight-check">
            <input
              type="checkbox"
              checked={types.includes(value)}
              onChange={({ currentTarget: { checked } }) => choose(value, checked)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </fieldset>
  )
}

const ROWS_MAX = 10_000

export function TableSettings({ question, onChange }: EditProps) {
  const set = (changes: Changes) => onChange(changed(question, changes))
  const lines = (name: string, label: string, hint: string) => (
    <Lines
      {...{ label, hint, lines: listIn(question, name).map(String) }}
      onCommit={(next) => set({ [name]: next.length === 0 ? undefined : next })}
    />
  )
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <EventField
        {...{ label: TEXTS.event, value: textIn(question, 'event') || null }}
        onCommit={(event) => set({ event })}
      />
      {lines('select', TEXTS.columns, TEXTS.columnsHint)}
      {lines('where', TEXTS.conditions, TEXTS.conditionsHint)}
      {lines('orderBy', TEXTS.sort, TEXTS.sortHint)}
      <NumberField
        {...{ label: TEXTS.rows, min: 1, max: ROWS_MAX }}
        value={numberIn(question, 'limit', 100)}
        onCommit={(limit) => set({ limit })}
      />
    </fieldset>
  )
}

type LinesProps = {
  readonly label: string
  readonly hint: string
  readonly lines: readonly string[]
  readonly onCommit: (lines: readonly string[]) => void
}

function Lines({ label, hint, lines, onCommit }: LinesProps) {
  return (
    <TextArea
      key={lines.join('\n')}
      {...{ label, hint, rows: Math.max(2, lines.length), spellcheck: false }}
      defaultValue={lines.join('\n')}
      onChange={({ currentTarget: { value } }) =>
        onCommit(
          value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        )
      }
    />
  )
}
