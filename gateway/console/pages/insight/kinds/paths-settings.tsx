import { Picker } from '../../../kit/picker/picker.tsx'
import {
  type Changes,
  changedIn,
  listIn,
  memberOf,
  numberIn,
  textIn,
} from '../../../questions/question.ts'
import type { EditProps } from '../edit.ts'
import { NumberField } from '../fields.tsx'
import { PATH_TYPES, PATHS_TEXTS as TEXTS } from './paths-texts.ts'

const PATH_STEPS_MAX = 50
const EDGES_MAX = 1000
const POINTS = [
  { member: 'startPoint', label: TEXTS.start },
  { member: 'endPoint', label: TEXTS.end },
]

export function PathsSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'pathsFilter')
  const set = (changes: Changes) => onChange(changedIn(question, 'pathsFilter', changes))
  const asked = listIn(filter, 'includeEventTypes').map(String)
  const types = asked.length > 0 ? asked : PATH_TYPES.map(({ value }) => value)
  const choose = (type: string, isIn: boolean) => {
    const next = PATH_TYPES.map(({ value }) => value).filter((value) =>
      value === type ? isIn : types.includes(value),
    )
    set({ includeEventTypes: next.length === 0 ? undefined : next })
  }
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      {POINTS.map(({ member, label }) => (
        <Picker
          key={member}
          label={label}
          value={textIn(filter, member)}
          none={TEXTS.anywhere}
          canClear
          from={PATH_TYPES.filter(({ value }) => types.includes(value)).map(({ source }) => source)}
          onChoose={({ name }) => set({ [member]: name || undefined })}
        />
      ))}
      <div class="insight-pair">
        <NumberField
          label={TEXTS.stepLimit}
          min={2}
          max={PATH_STEPS_MAX}
          value={numberIn(filter, 'stepLimit', 5)}
          onCommit={(value) => set({ stepLimit: value })}
        />
        <NumberField
          label={TEXTS.edgeLimit}
          min={1}
          max={EDGES_MAX}
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
