import { isRecord } from '../../../data/json.ts'
import { Select } from '../../../kit/field.tsx'
import { Switch } from '../../../kit/switch.tsx'
import { type Changes, changedIn, memberOf, numberIn, textIn } from '../../../questions/question.ts'
import type { EditProps } from '../edit.ts'
import { EventField, NumberField } from '../fields.tsx'
import { PERIODS, RETENTION_TYPES, RETENTION_TEXTS as TEXTS } from './retention-texts.ts'

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
        label={TEXTS.target}
        value={eventOf('targetEntity')}
        onCommit={(event) => set({ targetEntity: entity(event) })}
      />
      <EventField
        label={TEXTS.returning}
        value={eventOf('returningEntity')}
        onCommit={(event) => set({ returningEntity: entity(event) })}
      />
      <div class="insight-pair">
        <Select
          label={TEXTS.period}
          options={PERIODS}
          value={textIn(filter, 'period', 'Day')}
          onChange={({ currentTarget: { value } }) => set({ period: value })}
        />
        <NumberField
          label={TEXTS.intervals}
          min={1}
          max={INTERVALS_MAX}
          value={numberIn(filter, 'totalIntervals', 8)}
          onCommit={(value) => set({ totalIntervals: value })}
        />
      </div>
      <Select
        label={TEXTS.first}
        options={RETENTION_TYPES}
        value={textIn(filter, 'retentionType', 'retention_recurring')}
        onChange={({ currentTarget: { value } }) => set({ retentionType: value })}
      />
      <p class="insight-switch">
        <Switch
          label={TEXTS.cumulative}
          checked={filter['cumulative'] === true}
          onChange={(on) => set({ cumulative: on || undefined })}
        />
        {TEXTS.cumulative}
      </p>
    </fieldset>
  )
}
