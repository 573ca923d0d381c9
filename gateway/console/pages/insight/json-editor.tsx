import { useState } from 'preact/hooks'
import type { Failure } from '../../data/failure.ts'
import { Button } from '../../kit/button.tsx'
import { copyText } from '../../kit/copy-as.tsx'
import { TextArea } from '../../kit/field.tsx'
import { questionOf } from '../../questions/question.ts'
import type { EditProps } from './edit.ts'
import { JSON_TEXTS as TEXTS } from './json-texts.ts'

type JsonEditorProps = EditProps & {
  /** Error with which the question was refused. */
  readonly refused: Failure | undefined
}

/** The question as JSON, for members that the builder does not show. */
export function JsonEditor({ question, onChange, refused }: JsonEditorProps) {
  const shown = JSON.stringify(question, null, 2)
  const unchanged = { of: shown, text: shown, isWrong: false }
  const [edit, setEdit] = useState(unchanged)
  // Another question takes the place of what was written as it is drawn: later, keys would be lost.
  if (edit.of !== shown) setEdit(unchanged)
  const { text, isWrong } = edit.of === shown ? edit : unchanged
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const next = questionOf(text)
    setEdit({ of: shown, text, isWrong: next === undefined })
    if (next !== undefined) onChange(next)
  }
  const path = refused?.attr?.replace(/^query\.?/, '')
  const problem = isWrong
    ? TEXTS.jsonWrong
    : refused && (path ? `${path}: ${refused.detail}` : refused.detail)
  return (
    <form class="form" onSubmit={apply}>
      <TextArea
        label={TEXTS.jsonLabel}
        hint={TEXTS.jsonHint}
        problem={problem}
        value={text}
        rows={Math.min(24, text.split('\n').length + 1)}
        spellcheck={false}
        onInput={({ currentTarget }) => setEdit({ of: shown, text: currentTarget.value, isWrong })}
      />
      <div class="insight-actions">
        <Button type="submit" disabled={text === shown}>
          {TEXTS.apply}
        </Button>
        <Button tone="quiet" icon="copy" onClick={() => void copyText(shown, 'JSON')}>
          {TEXTS.copyJson}
        </Button>
      </div>
    </form>
  )
}
