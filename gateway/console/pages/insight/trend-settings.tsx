import { changedIn, memberOf, textIn } from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { TextField } from './fields.tsx'
import { INSIGHT_TEXTS as TEXTS } from './texts.ts'

export function TrendSettings({ question, onChange }: EditProps) {
  const filter = memberOf(question, 'trendsFilter')
  return (
    <fieldset class="insight-part">
      <legend>{TEXTS.settings}</legend>
      <TextField
        label={TEXTS.formula}
        hint={TEXTS.formulaHint}
        value={textIn(filter, 'formula')}
        onCommit={(formula) =>
          onChange(changedIn(question, 'trendsFilter', { formula: formula || undefined }))
        }
      />
    </fieldset>
  )
}
