import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { splitAt } from './expression-problem.ts'
import { EVENTS_TEXTS as TEXTS } from './texts.ts'

type WhereTextProps = {
  readonly text: string
  /** Problem in the text, and its offset. */
  readonly problem: { readonly message: string; readonly at: number } | undefined
  readonly onApply: (text: string) => void
  /** Returns to the filters, with the typed text. */
  readonly onLeave: (text: string) => void
}

/** Text editor of the expression. A problem is underlined until the text is changed. */
export function WhereText({ text, problem, onApply, onLeave }: WhereTextProps) {
  const [draft, setDraft] = useState(text)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const place = problem?.at
  // With the drawing itself, so that no key is lost between the two.
  useLayoutEffect(() => {
    area.current?.focus({ preventScroll: true })
    if (place !== undefined) area.current?.setSelectionRange(place, place)
  }, [place])
  const isWrong = problem !== undefined && draft === text
  const send = () => onApply(draft.trim())
  return (
    <form
      class="events-text"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label for={id} class="field-label">
        {TEXTS.expression}
      </label>
      <div class="events-editor">
        <textarea
          ref={area}
          id={id}
          class="input"
          rows={1}
          spellcheck={false}
          autocomplete="off"
          data-key="filter"
          placeholder={TEXTS.expressionPlace}
          value={draft}
          aria-describedby={isWrong ? `${id}-hint ${id}-problem` : `${id}-hint`}
          aria-invalid={isWrong}
          onInput={({ currentTarget }) => setDraft(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            send()
          }}
        />
        <Marked text={draft} at={isWrong ? problem.at : undefined} />
      </div>
      {isWrong && (
        <p id={`${id}-problem`} class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
      <div class="events-text-foot">
        <Button tone="main" type="submit">
          {TEXTS.apply}
        </Button>
        <Button tone="quiet" onClick={() => onLeave(draft.trim())}>
          {TEXTS.asFilters}
        </Button>
        <p id={`${id}-hint`} class="field-hint">
          {TEXTS.expressionHint}
        </p>
      </div>
    </form>
  )
}

type MarkedProps = { readonly text: string; readonly at: number | undefined }

/** The same text behind the field: it gives the field its height, and underlines a place. */
function Marked({ text, at }: MarkedProps) {
  const [before, word, rest] = at === undefined ? [text, '', ''] : splitAt(text, at)
  return (
    <div class="events-marked input" aria-hidden="true">
      {before}
      {at !== undefined && <u class="events-wrong">{word === '' ? '\u00a0' : word}</u>}
      {rest}{' '}
    </div>
  )
}
