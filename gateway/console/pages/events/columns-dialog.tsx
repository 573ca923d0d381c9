import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { propertyOf } from '../../kit/filters/expression.ts'
import { matches } from '../../kit/picker/choice.ts'
import { usePropertySample } from '../../kit/picker/suggestions.ts'
import { ValueInput } from '../../kit/picker/value-input.tsx'
import { COLUMNS, titleOf } from './events-question.ts'
import { EVENTS_TEXTS as TEXTS } from './texts.ts'

type ColumnsDialogProps = {
  readonly columns: readonly string[]
  readonly onSave: (columns: readonly string[]) => void
  readonly onClose: () => void
}

const FIELDS = ['event', 'person', 'timestamp', 'distinct_id', 'count()']

/** Edits the columns and their order. */
export function ColumnsDialog({ columns, onSave, onClose }: ColumnsDialogProps) {
  const [draft, setDraft] = useState(columns)
  const [text, setText] = useState('')
  const added = text.trim() === '' || draft.includes(text.trim()) ? draft : [...draft, text.trim()]
  const move = (at: number, to: number) => {
    const next = draft.filter((_, index) => index !== at)
    next.splice(to, 0, draft[at] ?? '')
    setDraft(next)
  }
  return (
    <Dialog title={TEXTS.columns} onClose={onClose}>
      <ol class="events-columns">
        {draft.map((column, at) => {
          const title = titleOf(column)
          return (
            <li key={column}>
              <span class="events-column">
                {title}
                {title !== column && <code>{column}</code>}
              </span>
              <Button
                tone="quiet"
                disabled={at === 0}
                aria-label={`Move up: ${title}`}
                onClick={() => move(at, at - 1)}
              >
                ↑
              </Button>
              <Button
                tone="quiet"
                disabled={at === draft.length - 1}
                aria-label={`Move down: ${title}`}
                onClick={() => move(at, at + 1)}
              >
                ↓
              </Button>
              <Button
                tone="quiet"
                icon="close"
                disabled={draft.length === 1}
                aria-label={`Remove: ${title}`}
                onClick={() => setDraft(draft.filter((each) => each !== column))}
              />
            </li>
          )
        })}
      </ol>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onSave(added)
        }}
      >
        <ColumnField
          text={text}
          onChange={setText}
          onAdd={() => {
            setDraft(added)
            setText('')
          }}
        />
        <div class="events-text-foot">
          <Button tone="main" type="submit">
            {TEXTS.apply}
          </Button>
          <Button tone="quiet" onClick={() => setDraft(COLUMNS)}>
            {TEXTS.standard}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ColumnFieldProps = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly onAdd: () => void
}

function ColumnField({ text, onChange, onAdd }: ColumnFieldProps) {
  const { event = [], person = [] } = usePropertySample().data ?? {}
  const offered = [
    ...FIELDS,
    ...event.map(({ name }) => propertyOf('event', name)),
    ...person.map(({ name }) => propertyOf('person', name)),
  ].filter((expression) => expression !== text && matches(text, [expression, titleOf(expression)]))
  return (
    <div class="events-add">
      <ValueInput
        label={TEXTS.column}
        value={text}
        hint={TEXTS.columnsHint}
        isFree
        autofocus
        options={offered}
        onChange={onChange}
        onChoose={onChange}
      />
      <Button onClick={onAdd}>{TEXTS.add}</Button>
    </div>
  )
}
