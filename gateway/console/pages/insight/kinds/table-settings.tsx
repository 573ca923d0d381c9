import { TextArea } from '../../../kit/field.tsx'
import { type Changes, changed, listIn, numberIn, textIn } from '../../../questions/question.ts'
import type { EditProps } from '../edit.ts'
import { EventField, NumberField } from '../fields.tsx'
import { TABLE_TEXTS as TEXTS } from './table-texts.ts'

const ROWS_MAX = 10_000

export function TableSettings({ question, onChange }: EditProps) {
  const set = (changes: Changes) => onChange(changed(question, changes))
  const lines = (name: string, label: string, hint: string) => (
    <Lines
      label={label}
      hint={hint}
      lines={listIn(question, name).map(String)}
      onCommit={(next) => set({ [name]: next.length === 0 ? undefined : next })}
    />
  )
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <EventField
        label={TEXTS.event}
        value={textIn(question, 'event') || null}
        onCommit={(event) => set({ event })}
      />
      {lines('select', TEXTS.columns, TEXTS.columnsHint)}
      {lines('where', TEXTS.conditions, TEXTS.conditionsHint)}
      {lines('orderBy', TEXTS.sort, TEXTS.sortHint)}
      <NumberField
        label={TEXTS.rows}
        min={1}
        max={ROWS_MAX}
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
      label={label}
      hint={hint}
      rows={Math.max(2, lines.length)}
      spellcheck={false}
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
