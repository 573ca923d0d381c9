import type { ComponentChildren } from 'preact'
import { isAnswered, type Unanswered } from '../data/questions.ts'
import { Button } from './button.tsx'

type UnansweredNoteProps = {
  readonly answers: readonly (object | Unanswered)[]
  /** Asks all of them again. */
  readonly onRetry: () => void
  /** The parts. */
  readonly children?: ComponentChildren
}

/** The parts of a page, below a note if some have no answer; the note alone if all but one have none. */
export function UnansweredNote({ answers, onRetry, children }: UnansweredNoteProps) {
  const failed = answers.find((answer): answer is Unanswered => !isAnswered(answer))
  return (
    <>
      {failed !== undefined && (
        <div class="failure" role="alert">
          <p>{failed.error.detail}</p>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
      {(failed === undefined || answers.filter(isAnswered).length > 1) && children}
    </>
  )
}
